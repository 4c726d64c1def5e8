//! Searches that are stopped at any moment, from outside.

use keiko_mcts::{Evaluation, Search, Selection};
use keiko_shogi::Game;

use crate::hashed::hashed;
use crate::support::{ROOTS, noisy, quiet, random_games, run, search, settings};

/// What a search of this position says now: a line of legal moves that begins with the one to play, and a policy.
fn check(search: &Search, root: &Game) {
    let summary = search.summary();
    let mut game = root.clone();
    assert!(game.position().is_legal(summary.best), "{} in {}", summary.best, game.sfen());
    for mv in search.variation(summary.best) {
        assert!(game.position().is_legal(mv), "{mv} in {}", game.sfen());
        game.play(mv);
    }
    let policy: f32 = summary.moves.iter().map(|m| m.policy).sum();
    assert!((policy - 1.0).abs() < 1e-4, "a policy of {policy} in {}", root.sfen());
}

#[test]
fn every_number_of_simulations_gives_a_legal_move() {
    for game in random_games(10) {
        for root in ROOTS {
            for simulations in 0..40 {
                let mut search = search(game.clone(), &settings(root));
                let summary = run(&mut search, noisy(simulations), hashed);
                assert!(summary.simulations == simulations || summary.proven.is_some());
                check(&search, &game);
            }
        }
    }
}

/// Up to so many leaves are out when the search is asked, and when its move is played.
#[test]
fn leaves_that_are_out_are_in_nobodys_way() {
    for game in random_games(10) {
        for (root, leaves) in ROOTS.into_iter().flat_map(|root| [(root, 1), (root, 7), (root, 30)])
        {
            let mut search = search(game.clone(), &settings(root));
            search.begin(quiet(120)).unwrap();
            let mut waiting = Vec::new();
            loop {
                while waiting.len() < leaves
                    && let Selection::Leaf(leaf) = search.select()
                {
                    let (logits, wdl) = hashed(&leaf);
                    waiting.push((leaf.id, logits, wdl));
                }
                if waiting.is_empty() {
                    break;
                }
                let (id, logits, wdl) = waiting.swap_remove(waiting.len() / 2);
                search.apply(id, &Evaluation { logits: &logits, wdl }).unwrap();
                check(&search, &game);
                let mut stopped = search.clone();
                stopped.advance(search.summary().best);
                let mut after = game.clone();
                after.play(search.summary().best);
                assert_eq!(stopped.game().sfen(), after.sfen());
                if after.end().is_none() {
                    run(&mut stopped, quiet(3), hashed);
                    check(&stopped, &after);
                }
            }
        }
    }
}
