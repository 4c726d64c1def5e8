//! The Gumbel root: improvement, halving, noise, and the known faults of other implementations.

use std::collections::BTreeMap;

use keiko_mcts::{Leaf, Noise, Rescale, RootKind, SearchLimit, Wdl};
use keiko_shogi::{Game, Move, Rules};

use crate::hashed::hashed;
use crate::support::{
    MIDDLE, assert_near, game, mv, noisy, quiet, root_move, run, search, settings,
};

/// Every line that begins with a pawn move by Black is better for it.
fn pawns_are_good(leaf: &Leaf<'_>) -> (Vec<f32>, Wdl) {
    let black = keiko_shogi::Color::Black;
    let Some(&first) = leaf.game.moves().first() else {
        return (vec![0.0; leaf.moves.len()], Wdl { win: 0.5, draw: 0.0, loss: 0.5 });
    };
    let win = if first == mv("7g7f") { 0.75 } else { 0.25 };
    let wdl = Wdl { win, draw: 0.0, loss: 1.0 - win };
    let own = leaf.game.position().side_to_move() == black;
    (vec![0.0; leaf.moves.len()], if own { wdl } else { wdl.flipped() })
}

#[test]
fn a_better_move_gains_policy_and_a_worse_one_loses_it() {
    for rescale in [Rescale::None, Rescale::MinMax] {
        let mut settings = settings(RootKind::Gumbel);
        settings.gumbel.rescale = rescale;
        settings.gumbel.max_considered = 30;
        let mut search = search(Game::startpos(Rules::STANDARD), &settings);
        let summary = run(&mut search, quiet(120), pawns_are_good);
        assert_eq!(summary.best, mv("7g7f"));
        assert_near(summary.moves.iter().map(|m| m.policy).sum(), 1.0);
        for root_move in &summary.moves {
            let gained = root_move.policy > root_move.prior;
            assert_eq!(gained, root_move.mv == mv("7g7f"), "{}", root_move.mv);
        }
    }
}

/// The improved policy from the summary's own numbers: softmax(ln prior + sigma(completed Q)).
#[test]
fn the_policy_is_that_of_the_paper() {
    for simulations in [0, 1, 16, 100] {
        let mut search = search(game(MIDDLE), &settings(RootKind::Gumbel));
        let summary = run(&mut search, quiet(simulations), hashed);
        let visited = summary.moves.iter().filter(|m| m.visits > 0);
        let visits: u32 = visited.clone().map(|m| m.visits).sum();
        let mass: f32 = visited.clone().map(|m| m.prior).sum();
        let weighted: f32 = visited.clone().map(|m| m.prior * m.score).sum();
        let raw = summary.raw_wdl.win + 0.5 * summary.raw_wdl.draw;
        let mixed = match visits {
            0 => raw,
            _ => (raw + visits as f32 * weighted / mass) / (visits as f32 + 1.0),
        };
        let most = summary.moves.iter().map(|m| m.visits).max().unwrap();
        let weights: Vec<f64> = summary
            .moves
            .iter()
            .map(|m| {
                let q = if m.visits > 0 { m.score } else { mixed };
                f64::from(m.prior) * f64::from((50.0 + most as f32) * q).exp()
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        for (root_move, weight) in summary.moves.iter().zip(&weights) {
            assert_near(root_move.policy, (weight / sum) as f32);
        }
    }
}

/// With the budget for it, exactly the considered moves are visited, and halving shows in the
/// visits.
#[test]
fn halving_spends_the_budget_as_planned() {
    let mut settings = settings(RootKind::Gumbel);
    settings.gumbel.max_considered = 8;
    let mut search = search(Game::startpos(Rules::STANDARD), &settings);
    let summary = run(&mut search, quiet(48), hashed);
    let mut visits: Vec<u32> =
        summary.moves.iter().map(|m| m.visits).filter(|&visits| visits > 0).collect();
    visits.sort_unstable();
    // 8 moves twice, 4 moves four times more, 2 moves eight times more.
    assert_eq!(visits, [2, 2, 2, 2, 6, 6, 14, 14]);
}

/// Visits and scores belong to the move they are listed with: each visited move's score is what
/// the evaluator says of the lines that begin with it (LightZero issue 493: children taken by rank).
#[test]
fn statistics_belong_to_their_move() {
    let mut settings = settings(RootKind::Gumbel);
    settings.gumbel.max_considered = 30;
    let mut search = search(Game::startpos(Rules::STANDARD), &settings);
    let summary = run(&mut search, noisy(90), pawns_are_good);
    for root_move in summary.moves.iter().filter(|m| m.visits > 0) {
        assert_near(root_move.score, if root_move.mv == mv("7g7f") { 0.75 } else { 0.25 });
    }
}

/// The evaluator's logit for a move arrives as the prior of that move.
#[test]
fn priors_belong_to_their_move() {
    let mut search = search(game(MIDDLE), &settings(RootKind::Gumbel));
    let mut logits = BTreeMap::new();
    search.begin(quiet(8)).unwrap();
    let (id, values, wdl) = crate::support::next(&mut search, hashed).unwrap();
    if let Some(keiko_shogi::Color::White) = Some(search.game().position().side_to_move()) {
        let mut list = keiko_shogi::MoveList::new();
        search.game().legal_moves(&mut list);
        logits.extend(list.iter().copied().zip(values.iter().copied()));
    }
    let evaluation = keiko_mcts::Evaluation { logits: &values, wdl };
    search.apply(id, &evaluation).unwrap();
    let summary = crate::support::finish(&mut search, hashed);
    let sum: f32 = logits.values().map(|logit: &f32| logit.exp()).sum();
    for root_move in &summary.moves {
        assert_near(root_move.prior, logits[&root_move.mv].exp() / sum);
    }
}

/// The noise is fresh for every search of the same tree, and the same for the same seed (LightZero
/// issue 493: frozen noise).
#[test]
fn noise_is_fresh_for_every_search_and_follows_the_seed() {
    let mut settings = settings(RootKind::Gumbel);
    // Noise alone decides: what the first search learnt does not change the second one's choice.
    settings.gumbel.scale = 1000.0;
    let mut first = search(game(MIDDLE), &settings);
    let mut second = first.clone();
    let considered = |search: &mut keiko_mcts::Search| -> Vec<Move> {
        let before: BTreeMap<Move, u32> = match search.nodes() {
            0 => BTreeMap::new(),
            _ => search.summary().moves.iter().map(|m| (m.mv, m.visits)).collect(),
        };
        let after = run(search, noisy(8), hashed).moves;
        let visited = after.iter().filter(|m| m.visits > before.get(&m.mv).copied().unwrap_or(0));
        visited.map(|m| m.mv).collect()
    };
    let runs: Vec<Vec<Move>> = (0..4).map(|_| considered(&mut first)).collect();
    let again: Vec<Vec<Move>> = (0..4).map(|_| considered(&mut second)).collect();
    assert_eq!(runs, again, "the same seed gives the same searches");
    for pair in runs.windows(2) {
        assert_ne!(pair[0], pair[1], "two searches consider different moves");
    }
}

#[test]
fn without_noise_the_seed_does_not_matter() {
    for root in crate::support::ROOTS {
        let settings = settings(root);
        let summaries = [1, 2].map(|seed| {
            let draws = keiko_shogi::DrawValues::HALF;
            let mut search = keiko_mcts::Search::new(game(MIDDLE), &settings, draws, seed);
            run(&mut search, SearchLimit { simulations: 50, noise: Noise::Off }, hashed)
        });
        assert_eq!(summaries[0], summaries[1]);
    }
}

/// The chosen move is one of the most visited: nothing steps in silently (LightZero issue 493:
/// random fallback moves).
#[test]
fn the_chosen_move_is_among_the_most_visited() {
    for seed in 0..50 {
        let draws = keiko_shogi::DrawValues::HALF;
        let settings = settings(RootKind::Gumbel);
        let mut search = keiko_mcts::Search::new(game(MIDDLE), &settings, draws, seed);
        for simulations in [1, 5, 16, 33] {
            let summary = run(&mut search, noisy(simulations), hashed);
            assert_eq!(summary.simulations, simulations);
        }
        let mut fresh = keiko_mcts::Search::new(game(MIDDLE), &settings, draws, seed);
        let summary = run(&mut fresh, noisy(33), hashed);
        let most = summary.moves.iter().map(|m| m.visits).max().unwrap();
        let best = summary.moves.iter().find(|m| m.mv == summary.best).unwrap();
        assert_eq!(best.visits, most);
    }
}

/// Over many seeds the first choice of a search with one simulation follows the policy.
#[test]
fn gumbel_noise_samples_from_the_policy() {
    let start = Game::startpos(Rules::STANDARD);
    let biased = |leaf: &Leaf<'_>| {
        let logits = leaf.moves.iter().map(|&m| if m == mv("7g7f") { 29.0_f32.ln() } else { 0.0 });
        (logits.collect(), Wdl { win: 0.5, draw: 0.0, loss: 0.5 })
    };
    let mut settings = settings(RootKind::Gumbel);
    settings.gumbel.max_considered = 1;
    let mut search = search(start, &settings);
    let mut chosen = 0;
    for _ in 0..2000 {
        search.begin(noisy(0)).unwrap();
        let summary = crate::support::finish(&mut search, biased);
        assert_near(root_move(&summary, "7g7f").prior, 0.5);
        chosen += u32::from(summary.best == mv("7g7f"));
    }
    assert!((900..1100).contains(&chosen), "{chosen} of 2000 at probability one half");
}
