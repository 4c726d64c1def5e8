//! The PUCT root: visits as policy, noise, temperature.

use keiko_mcts::{RootKind, Search};
use keiko_shogi::{DrawValues, Game, Rules};

use crate::hashed::{hashed, uniform};
use crate::support::{MIDDLE, assert_near, game, moves, noisy, quiet, run, search, settings};

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
        let start = Game::startpos(Rules::STANDARD);
        let mut search = Search::new(start, &settings, DrawValues::HALF, seed);
        [0, 1].map(|_| {
            let summary = run(&mut search, noisy(30), hashed);
            // Back to the same position: the tree is gone, only the noise can differ.
            moves("5i5h 5a5b 5h5i 5b5a").into_iter().for_each(|mv| search.advance(mv));
            summary.moves.iter().map(|m| m.visits).collect::<Vec<_>>()
        })
    };
    let [first, second] = visits(1);
    assert_ne!(first, second, "the second search has noise of its own");
    assert_eq!(visits(1), [first.clone(), second]);
    assert_ne!(visits(2)[0], first);
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
