//! The node limit, and roots without a move.

use keiko_mcts::{BeginError, RootKind, Selection};

use keiko_shogi::{Game, Rules};

use crate::hashed::hashed;
use crate::support::{MIDDLE, ROOTS, game, quiet, run, search, settings};

#[test]
fn a_full_tree_goes_on_searching_without_growing() {
    for root in ROOTS {
        for max_nodes in [1, 2, 50] {
            let mut settings = settings(root);
            settings.max_nodes = max_nodes;
            let mut search = search(game(MIDDLE), &settings);
            let summary = run(&mut search, quiet(300), hashed);
            assert_eq!(search.nodes(), max_nodes as usize);
            assert_eq!(summary.simulations, 300);
            assert_eq!(summary.moves.iter().map(|m| m.visits).sum::<u32>(), 300);
            search.advance(summary.best);
            assert_eq!(run(&mut search, quiet(30), hashed).simulations, 30);
        }
    }
}

#[test]
fn the_memory_of_a_tree_is_limited_however_long_it_is_searched() {
    for root in ROOTS {
        let mut settings = settings(root);
        settings.max_nodes = 300;
        let mut search = search(game(MIDDLE), &settings);
        let summary = run(&mut search, quiet(30_000), hashed);
        assert_eq!(summary.simulations, 30_000);
        assert!(search.bytes() <= 300 * 800 + (1 << 17), "{} bytes", search.bytes());
        assert!(search.bytes() > 300 * 800, "{} bytes: the limit was reached", search.bytes());
        assert_eq!(search.nodes(), 300, "positions of a game take less than was counted with");
    }
}

/// What the played move leaves behind is free, so every search of a game fills the tree anew.
#[test]
fn a_full_tree_has_room_again_after_a_move() {
    for root in ROOTS {
        let mut settings = settings(root);
        settings.max_nodes = 200;
        let mut search = search(Game::startpos(Rules::STANDARD), &settings);
        let mut kept = 0;
        for _ in 0..20 {
            let best = run(&mut search, quiet(400), hashed).best;
            assert_eq!(search.nodes(), 200, "the tree is full");
            let full = search.bytes();
            search.advance(best);
            let (nodes, bytes) = (search.nodes(), search.bytes());
            assert!(nodes < 200 && bytes < full, "{nodes} positions, {bytes} of {full} bytes");
            kept += u32::from(nodes > 0);
        }
        assert!(kept >= 5, "the tree behind {kept} of 20 moves is kept");
        assert!(search.bytes() <= 200 * 800 + (1 << 17));
    }
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let mut settings = settings(RootKind::Puct);
    let mut large = search(game(MIDDLE), &settings);
    let large = run(&mut large, quiet(100), hashed);
    settings.max_nodes = 101;
    let mut small = search(game(MIDDLE), &settings);
    assert_eq!(run(&mut small, quiet(100), hashed), large);
}

#[test]
fn a_finished_game_is_refused() {
    let mut search = search(game("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), &settings(RootKind::Gumbel));
    assert!(matches!(search.select(), Selection::Done));
    assert_eq!(search.begin(quiet(10)), Err(BeginError::NoLegalMove));
}
