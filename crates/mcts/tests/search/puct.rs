//! The PUCT root: visits as policy, noise, temperature.

use keiko_mcts::{RootKind, Search};
use keiko_shogi::DrawValues;

use crate::hashed::{hashed, uniform};
use crate::support::{MIDDLE, assert_near, game, noisy, quiet, run, search, settings};

#[test]
fn the_policy_is_the_share_of_visits() {
    let mut settings = settings(RootKind::Puct);
    settings.mate_in_one = false;
    let mut search = search(game(MIDDLE), &settings);
    let summary = run(&mut search, quiet(160), hashed);
    let visits: u32 = summary.moves.iter().map(|m| m.visits).sum();
    assert_eq!((visits, summary.simulations), (160, 160));
    for root_move in &summary.moves {
        assert_near(root_move.policy, root_move.visits as f32 / 160.0);
    }
    let most = summary.moves.iter().map(|m| m.visits).max().unwrap();
    assert!(summary.moves.iter().any(|m| m.mv == summary.best && m.visits == most));
}

#[test]
fn dirichlet_noise_is_fresh_for_every_search_and_follows_the_seed() {
    let mut settings = settings(RootKind::Puct);
    settings.reuse_subtree = false;
    settings.puct.dirichlet_fraction = 1.0;
    let visits = |seed| {
        let mut search = Search::new(game(MIDDLE), &settings, DrawValues::HALF, seed);
        let summary = run(&mut search, noisy(30), hashed);
        summary.moves.iter().map(|m| m.visits).collect::<Vec<_>>()
    };
    assert_eq!(visits(1), visits(1));
    assert_ne!(visits(1), visits(2));
}

#[test]
fn noise_and_temperature_leave_the_reported_prior_alone() {
    let mut settings = settings(RootKind::Puct);
    let mut plain = search(game(MIDDLE), &settings);
    let plain = run(&mut plain, quiet(40), hashed);
    settings.puct.policy_temperature = 4.0;
    let mut flat = search(game(MIDDLE), &settings);
    let flat = run(&mut flat, noisy(40), hashed);
    let priors = |summary: &keiko_mcts::RootSummary| {
        summary.moves.iter().map(|m| m.prior).collect::<Vec<_>>()
    };
    assert_eq!(priors(&plain), priors(&flat));
    assert_ne!(plain.moves, flat.moves);
}

#[test]
fn a_high_temperature_spreads_the_visits() {
    let visited = |temperature| {
        let mut settings = settings(RootKind::Puct);
        settings.puct.policy_temperature = temperature;
        let mut search = search(game(MIDDLE), &settings);
        let summary = run(&mut search, quiet(60), |leaf| (hashed(leaf).0, uniform(leaf).1));
        summary.moves.iter().filter(|m| m.visits > 0).count()
    };
    assert!(visited(4.0) > visited(1.0), "{} and {}", visited(4.0), visited(1.0));
}
