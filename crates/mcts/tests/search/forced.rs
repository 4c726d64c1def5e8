//! Forced playouts and lower confidence bounds at the PUCT root.

use keiko_mcts::{RootKind, RootSummary, SearchSettings};

use crate::hashed::hashed;
use crate::support::{assert_near, noisy, quiet, random_games, run, search, settings};

/// Noise without a share, so that the priors that are forced are those that are reported.
fn forcing(forced_playouts: f32) -> SearchSettings {
    let mut settings = settings(RootKind::Puct);
    settings.puct.dirichlet_fraction = 0.0;
    settings.puct.forced_playouts = forced_playouts;
    settings
}

/// How many visits the visited moves lack at most of what is forced.
fn most_lacking(summary: &RootSummary, forced_playouts: f32) -> f32 {
    let all: u32 = summary.moves.iter().map(|m| m.visits).sum();
    let open = summary.moves.iter().filter(|m| m.visits > 0 && m.proof.is_none());
    let lack = open.map(|m| (forced_playouts * m.prior * all as f32).sqrt() - m.visits as f32);
    lack.fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn visited_moves_have_the_visits_that_are_forced() {
    let mut lacking = 0;
    for game in random_games(60) {
        for simulations in [60, 300] {
            let forced = run(&mut search(game.clone(), &forcing(2.0)), noisy(simulations), hashed);
            // One visit may be due when the search ends.
            assert!(most_lacking(&forced, 2.0) <= 1.0, "{}", game.sfen());
            let free = run(&mut search(game.clone(), &forcing(0.0)), noisy(simulations), hashed);
            lacking += u32::from(most_lacking(&free, 2.0) > 1.0);
        }
    }
    assert!(lacking > 60, "PUCT alone makes fewer visits in {lacking} of 120 searches");
}

/// The policy to learn leaves forced visits out and never makes a move more than its visits do, beside the most
/// visited one.
#[test]
fn no_move_gains_by_the_pruning() {
    let (mut pruned, mut gone) = (0, 0);
    for game in random_games(60) {
        let summary = run(&mut search(game.clone(), &forcing(2.0)), noisy(200), hashed);
        if summary.proven.is_some() {
            continue;
        }
        assert_near(summary.moves.iter().map(|m| m.policy).sum(), 1.0);
        let alive = || summary.moves.iter().filter(|m| m.proof.is_none());
        let first = alive().max_by_key(|m| m.visits).unwrap();
        for m in alive() {
            let by_visits = m.visits as f32 / first.visits as f32;
            let by_policy = m.policy / first.policy;
            assert!(by_policy <= by_visits + 1e-5, "{} in {}", m.mv, game.sfen());
            pruned += u32::from(by_policy < by_visits - 1e-5);
            gone += u32::from(m.visits > 0 && m.policy <= 0.0);
        }
    }
    assert!(pruned > 300 && gone > 30, "{pruned} moves have less, {gone} nothing");
}

/// What was forced is taken back: the policy is nearer to that of a search without forcing than its visits are.
#[test]
fn the_pruned_policy_is_nearer_to_that_of_free_visits() {
    let (mut by_policy, mut by_visits) = (0.0, 0.0);
    for game in random_games(60) {
        let forced = run(&mut search(game.clone(), &forcing(2.0)), noisy(400), hashed);
        let free = run(&mut search(game, &forcing(0.0)), noisy(400), hashed);
        let all: u32 = forced.moves.iter().map(|m| m.visits).sum();
        for (forced, free) in forced.moves.iter().zip(&free.moves) {
            by_policy += (forced.policy - free.policy).abs();
            by_visits += (forced.visits as f32 / all as f32 - free.policy).abs();
        }
    }
    assert!(by_policy < 0.95 * by_visits, "{by_policy} and {by_visits}");
}

#[test]
fn nothing_is_forced_without_noise() {
    for game in random_games(10) {
        let summaries = [0.0, 2.0]
            .map(|factor| run(&mut search(game.clone(), &forcing(factor)), quiet(150), hashed));
        assert_eq!(summaries[0], summaries[1]);
    }
}

/// The bound chooses among the moves with enough visits, and nothing else of the search changes.
#[test]
fn the_bound_changes_the_choice_alone() {
    let mut others = 0;
    for game in random_games(80) {
        let mut settings = settings(RootKind::Puct);
        let by_visits = run(&mut search(game.clone(), &settings), quiet(120), hashed);
        settings.puct.lcb_stdevs = 3.0;
        let mut searched = search(game, &settings);
        let by_bound = run(&mut searched, quiet(120), hashed);
        assert_eq!(by_bound.moves, by_visits.moves);
        let most = by_bound.moves.iter().map(|m| m.visits).max().unwrap();
        let best = by_bound.moves.iter().find(|m| m.mv == by_bound.best).unwrap();
        assert!(best.visits as f32 >= 0.15 * most as f32 || by_bound.proven.is_some());
        others += u32::from(by_bound.best != by_visits.best);
        // Visits that are kept have no spread of their own.
        searched.advance(by_bound.best);
        if searched.game().end().is_none() {
            run(&mut searched, quiet(20), hashed);
        }
    }
    assert!((5..60).contains(&others), "{others} of 80 choices are others");
}
