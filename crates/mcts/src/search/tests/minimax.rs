//! What the search proves, against a whole look at every line: the end of the game by plies is near, so that there
//! are few.

use keiko_shogi::{Color, Declaration, ImpasseRule, MoveList, Outcome};

use super::*;
use crate::RootKind;

/// Each kind of draw has a worth of its own, none of them one half.
const DRAWS: DrawValues = DrawValues { sennichite: 0.25, jishogi: 0.125, max_plies: 0.375 };
const RULES: Rules = Rules {
    impasse: ImpasseRule::Csa24,
    declaration: Declaration::Manual,
    max_plies: None,
    handicap: None,
};

/// A certain result for the side to move and what it is worth to it.
#[derive(Clone, Copy, Debug)]
struct Exact {
    proof: Proof,
    score: f32,
}

impl Exact {
    fn for_black(outcome: Outcome, draw_value: f32, side: Color) -> Self {
        match outcome.winner() {
            Some(winner) if winner == side => Self { proof: Proof::Win, score: 1.0 },
            Some(_) => Self { proof: Proof::Loss, score: 0.0 },
            None => {
                let score = if side == Color::Black { draw_value } else { 1.0 - draw_value };
                Self { proof: Proof::Draw, score }
            }
        }
    }

    fn flipped(self) -> Self {
        Self { proof: self.proof.flipped(), score: 1.0 - self.score }
    }
}

/// The result of best play by both sides; a declaration is a move that ends the game.
fn minimax(game: &mut Game, may_declare: bool) -> Exact {
    let side = game.position().side_to_move();
    if let Some(end) = game.end() {
        let draw_value = match end.reason {
            keiko_shogi::EndReason::MaxPlies => DRAWS.max_plies,
            keiko_shogi::EndReason::Sennichite => DRAWS.sennichite,
            _ => DRAWS.jishogi,
        };
        return Exact::for_black(end.outcome, draw_value, side);
    }
    let declared = game.can_declare().filter(|_| may_declare);
    let mut best = declared.map(|outcome| Exact::for_black(outcome, DRAWS.jishogi, side));
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    for &mv in &moves {
        if best.is_some_and(|best| best.proof == Proof::Win) {
            break;
        }
        game.play(mv);
        let found = minimax(game, true).flipped();
        game.undo();
        if best.is_none_or(|best| found.score > best.score) {
            best = Some(found);
        }
    }
    best.expect("a game that goes on has a legal move")
}

/// Counts of what was compared.
#[derive(Debug, Default)]
struct Compared {
    roots: usize,
    nodes: usize,
    wins: usize,
    losses: usize,
    draws: usize,
}

/// Compares every proof of the tree behind a node, the game standing at it. Below the root a side may declare.
fn compare(search: &Search, game: &mut Game, id: u32, compared: &mut Compared) {
    let node = search.tree.node(id);
    let near = |actual: f32, expected: f32| (actual - expected).abs() < 1e-6;
    if let Some(value) = node.proven_value() {
        let exact = minimax(game, id != ROOT);
        let proven = (node.proof, value.score as f32);
        assert_eq!(proven.0, Some(exact.proof), "{} after {:?}", game.sfen(), game.moves());
        assert!(near(proven.1, exact.score), "{proven:?}, not {exact:?}: {}", game.sfen());
        compared.nodes += 1;
        let count = match exact.proof {
            Proof::Win => &mut compared.wins,
            Proof::Draw => &mut compared.draws,
            Proof::Loss => &mut compared.losses,
        };
        *count += 1;
    }
    for (edge, &mv) in search.tree.edges(id).iter().zip(search.tree.moves(id)) {
        game.play(mv);
        if let Some(proof) = edge.proof {
            let exact = minimax(game, true);
            assert_eq!(proof, exact.proof.flipped(), "{} after {:?}", game.sfen(), game.moves());
            // What a result is worth to one side the other side lacks.
            assert!(near(edge.proven_score + exact.score, 1.0), "{edge:?}: {}", game.sfen());
        }
        if edge.node != NO_NODE {
            compare(search, game, edge.node, compared);
        }
        game.undo();
    }
}

/// A White king at the edge with Black's pieces around it, few legal moves, and the end of the game some plies ahead.
fn random_ending(rng: &mut Xoshiro256PlusPlus) -> Option<Game> {
    let plies = 2 + below(rng, 3);
    let mut squares = ["1"; 81].map(str::to_owned);
    for _ in 0..3 + below(rng, 3) {
        let pieces = ["+R", "+B", "G", "G", "S", "+P", "N"];
        squares[below(rng, 36)] = pieces[below(rng, pieces.len())].to_owned();
    }
    for _ in 0..2 {
        squares[below(rng, 81)] = ["g", "s", "l", "+n"][below(rng, 4)].to_owned();
    }
    squares[36 + below(rng, 45)] = "K".to_owned();
    squares[below(rng, 9)] = "k".to_owned();
    let ranks: Vec<String> = squares.chunks(9).map(|rank| rank.concat()).collect();
    let side = ["b", "w"][below(rng, 2)];
    let hand = ["-", "-", "-", "-", "G"][below(rng, 5)];
    let sfen = format!("{} {side} {hand} 1", ranks.join("/"));
    let (position, number) = Position::from_sfen(&sfen).ok()?;
    let game = Game::new(position, number, Rules { max_plies: Some(plies as u16), ..RULES });
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let most = [60, 25, 10][plies - 2];
    (game.end().is_none() && moves.len() <= most).then_some(game)
}

fn hashed(moves: usize, key: u64) -> (Vec<f32>, Wdl) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(key);
    let logits = (0..moves).map(|_| below(&mut rng, 64) as f32 / 16.0).collect();
    let win = below(&mut rng, 65) as f32 / 64.0;
    (logits, Wdl { win, draw: 0.0, loss: 1.0 - win })
}

#[test]
fn what_is_proven_is_what_best_play_gives() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut compared = Compared::default();
    let mut games = 0;
    while games < 300 {
        let Some(mut game) = random_ending(&mut rng) else { continue };
        games += 1;
        for root in [RootKind::Gumbel, RootKind::Puct] {
            let looks = below(&mut rng, 2) == 0;
            let mut settings = settings(root, 100_000);
            settings.mate_in_one = looks;
            settings.mate_in_three_nodes = if looks { 200 } else { 0 };
            settings.root_mate_nodes = if looks { 500 } else { 0 };
            // Every line is looked at, good or bad.
            settings.gumbel.max_considered = 600;
            (settings.puct.c_init, settings.puct.root_c_init) = (100.0, 100.0);
            let mut search = Search::new(game.clone(), &settings, DRAWS, games);
            let limit = SearchLimit { simulations: 5000, noise: Noise::On };
            search.begin(limit).expect("there are moves");
            while let Selection::Leaf(leaf) = search.select() {
                let (logits, wdl) = hashed(leaf.moves.len(), leaf.game.position().key());
                let id = leaf.id;
                search.apply(id, &Evaluation { logits: &logits, wdl }).expect("it fits");
            }
            search.walk_back();
            compared.roots += usize::from(search.summary().proven.is_some());
            compare(&search, &mut game, ROOT, &mut compared);
        }
    }
    assert!(compared.roots > 100, "{compared:?}");
    let Compared { wins, losses, draws, .. } = compared;
    assert!(wins > 400 && losses > 60 && draws > 500, "{compared:?}");
}
