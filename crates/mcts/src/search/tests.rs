//! The tree after any order of selecting, applying, cancelling and advancing.

mod minimax;

use keiko_shogi::{DrawValues, Game, Move, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{ROOT, Search};
use crate::settings::RootKind;
use crate::tree::{NO_NODE, Step};
use crate::value::Value;
use crate::{Evaluation, LeafId, Noise, Proof, SearchLimit, SearchSettings, Selection, Wdl};

/// Few legal moves and mates everywhere, so that proofs are common.
const SPARSE: &str = "4k4/9/9/9/9/9/4p4/9/4K4 b 2P2gr 1";
const MIDDLE: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn settings(root: RootKind, max_nodes: u32) -> SearchSettings {
    SearchSettings {
        root,
        mate_in_one: true,
        declaration: true,
        reuse_subtree: true,
        max_nodes,
        ..SearchSettings::BARE
    }
}

fn below(rng: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    (rng.next_u64() % limit as u64) as usize
}

/// Applies most of the waiting leaves and cancels the others, in a random order.
fn settle(search: &mut Search, waiting: &mut Vec<(LeafId, usize)>, rng: &mut Xoshiro256PlusPlus) {
    while !waiting.is_empty() {
        let (id, moves) = waiting.swap_remove(below(rng, waiting.len()));
        if below(rng, 5) == 0 {
            search.cancel(id);
            continue;
        }
        let logits: Vec<f32> = (0..moves).map(|_| below(rng, 64) as f32 / 16.0).collect();
        let win = below(rng, 65) as f32 / 64.0;
        let wdl = Wdl { win, draw: 0.0, loss: 1.0 - win };
        search.apply(id, &Evaluation { logits: &logits, wdl }).expect("the leaf is outstanding");
    }
}

/// Runs searches and advances until the game ends, checking the tree after every batch.
fn drive(sfen: &str, settings: &SearchSettings, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (position, number) = Position::from_sfen(sfen).expect("the position is right");
    let rules = Rules { max_plies: Some(30), ..Rules::STANDARD };
    let game = Game::new(position, number, rules);
    let mut search = Search::new(game, settings, DrawValues::HALF, seed);
    while search.game().end().is_none() {
        search.begin(SearchLimit { simulations: 150, noise: Noise::On }).expect("there are moves");
        let mut waiting = Vec::new();
        loop {
            for _ in 0..=below(&mut rng, 20) {
                let Selection::Leaf(leaf) = search.select() else { break };
                waiting.push((leaf.id, leaf.moves.len()));
            }
            if waiting.is_empty() {
                break;
            }
            settle(&mut search, &mut waiting, &mut rng);
            check(&mut search);
        }
        assert!(matches!(search.select(), Selection::Done));
        let best = search.summary().best;
        search.advance(best);
        check(&mut search);
    }
}

/// Everything that is kept step by step equals what the tree says from scratch. Nothing is
/// outstanding.
fn check(search: &mut Search) {
    search.walk_back();
    assert!(search.outstanding.is_empty() && search.blocked.is_empty());
    assert_eq!(search.totals.in_flight, 0);
    if !search.has_root() {
        return;
    }
    let tree = &search.tree;
    // A full tree evaluates a position again at each visit and gives it a node when there is room;
    // visits of a proven draw end there.
    let limited = search.settings.max_nodes < 100;
    let mut nodes = vec![(ROOT, search.totals.visits)];
    while let Some((id, visits)) = nodes.pop() {
        let node = tree.node(id);
        assert!(node.wdl.is_some(), "a node in the tree is evaluated");
        let (edges, priors) = (tree.edges(id), tree.priors(id));
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        let below: u32 = edges.iter().map(|edge| edge.totals.visits).sum();
        assert!(below < visits, "{below} visits below {visits}");
        assert!(
            below + 1 == visits || limited || node.proof.is_some(),
            "{below} visits below {visits}"
        );
        if let Some(next) = tree.next_prior(id) {
            assert!(priors[edges.len()..].iter().all(|&prior| prior <= next));
        }
        let mut proofs = Vec::new();
        for (edge, &prior) in edges.iter().zip(priors) {
            assert_eq!(edge.totals.in_flight, 0);
            assert!(!edge.blocked);
            assert!(id == ROOT || edge.prior.to_bits() == prior.to_bits());
            assert!(edge.totals.score >= 0.0 && edge.totals.score <= edge.totals.visits.into());
            proofs.push(edge.proof);
            if edge.node != NO_NODE {
                assert!(edge.totals.visits > 0);
                assert_eq!(edge.proof, tree.node(edge.node).proof.map(Proof::flipped));
                nodes.push((edge.node, edge.totals.visits));
            }
        }
        let settled = priors.len() == edges.len() && proofs.iter().all(Option::is_some);
        let expected = if proofs.contains(&Some(Proof::Win)) {
            Some(Proof::Win)
        } else if !settled {
            None
        } else if proofs.contains(&Some(Proof::Draw)) {
            Some(Proof::Draw)
        } else {
            Some(Proof::Loss)
        };
        assert_eq!(node.proof, expected);
    }
}

/// A search whose tree is built by hand: one root move, and two replies to it at node 1.
fn two_replies(floor: Option<f32>) -> Search {
    let settings = settings(RootKind::Puct, 100);
    let game = Game::startpos(Rules::STANDARD);
    let mut search = Search::new(game, &settings, DrawValues::HALF, 1);
    let moves: Vec<Move> = ["7g7f", "2g2f"].map(|text| text.parse().expect("a move")).into();
    let evaluation = |logits| Evaluation { logits, wdl: Wdl { win: 0.5, draw: 0.0, loss: 0.5 } };
    search.tree.add_node(&moves[..1], None);
    search.tree.evaluate(ROOT, &evaluation(&[0.0]));
    search.tree.try_next(ROOT);
    let reply = search.tree.add_node(&moves, floor);
    search.tree.evaluate(reply, &evaluation(&[0.0, 0.0]));
    search.tree.try_next(reply);
    search.tree.try_next(reply);
    search.tree.edge_mut(FIRST).node = reply;
    search
}

/// The root's only edge, and the two edges behind it.
const FIRST: Step = Step { node: ROOT, slot: 0 };
const REPLIES: [Step; 2] = [Step { node: 1, slot: 0 }, Step { node: 1, slot: 1 }];

/// Backs up a simulation of a reply with a certain result for the side that replies.
fn reply(search: &mut Search, slot: usize, proof: Proof, draw_score: f32) {
    let path = [FIRST, REPLIES[slot]];
    path.iter().for_each(|&step| search.tree.edge_mut(step).totals.in_flight += 1);
    let leaf = Value::proven(proof, draw_score).flipped();
    search.back_up(&path, leaf, Some(proof.flipped()));
}

fn near(actual: f64, expected: f64) -> bool {
    (actual - expected).abs() < 1e-6
}

/// The simulation that settles a node brings back what the node is worth, not what its last move is.
#[test]
fn a_settled_node_brings_back_its_own_result() {
    let mut search = two_replies(None);
    reply(&mut search, 0, Proof::Draw, 0.25);
    assert_eq!(search.tree.node(1).proof, None);
    assert!(near(search.totals.score, 0.75));
    reply(&mut search, 1, Proof::Loss, 0.0);
    assert_eq!(search.tree.node(1).proof, Some(Proof::Draw));
    assert_eq!(search.tree.node(ROOT).proof, Some(Proof::Draw));
    assert!(near(search.totals.score, 1.5), "{}", search.totals.score);
    assert!(near(search.tree.edge(FIRST).proven_score.into(), 0.75));
}

/// Who can declare a draw is never lost, unless asked for a move.
#[test]
fn a_declared_draw_stands_when_all_moves_lose() {
    let mut search = two_replies(Some(0.25));
    reply(&mut search, 0, Proof::Loss, 0.0);
    assert!(near(search.totals.score, 0.75), "the draw is better than the losing reply");
    reply(&mut search, 1, Proof::Loss, 0.0);
    assert_eq!(search.tree.node(ROOT).proof, Some(Proof::Draw));
    assert!(near(search.totals.score, 1.5), "{}", search.totals.score);
    let mut kept = search.tree.clone();
    kept.keep(1);
    assert_eq!(kept.node(ROOT).proof, Some(Proof::Draw));
    kept.forget_floor(ROOT);
    assert_eq!(kept.node(ROOT).proof, Some(Proof::Loss));
}

/// A declared draw does not take a better drawing move away.
#[test]
fn the_better_of_two_draws_counts() {
    let mut search = two_replies(Some(0.25));
    reply(&mut search, 0, Proof::Draw, 0.5);
    reply(&mut search, 1, Proof::Loss, 0.0);
    assert!(near(search.tree.edge(FIRST).proven_score.into(), 0.5));
    let mut kept = search.tree.clone();
    kept.keep(1);
    kept.forget_floor(ROOT);
    assert_eq!(kept.node(ROOT).proof, Some(Proof::Draw));
}

#[test]
fn the_tree_is_consistent_after_any_order_of_events() {
    for root in [RootKind::Gumbel, RootKind::Puct] {
        for max_nodes in [40, 100_000] {
            for seed in 0..6 {
                drive(SPARSE, &settings(root, max_nodes), seed);
                drive(MIDDLE, &settings(root, max_nodes), seed);
            }
        }
    }
}
