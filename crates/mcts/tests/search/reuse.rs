//! Playing a move: the subtree is kept as it was, or dropped.

use keiko_mcts::{RootKind, RootSummary, SearchSettings};
use keiko_shogi::{Game, Rules};

use crate::hashed::hashed;
use crate::support::{MIDDLE, ROOTS, assert_near, game, noisy, quiet, run, search, settings};

fn dropping(root: RootKind) -> SearchSettings {
    SearchSettings { reuse_subtree: false, ..settings(root) }
}

/// With PUCT everywhere and no noise, a subtree is what a search from its root builds with the same
/// number of simulations: the same constants at the root and below make the two equal.
#[test]
fn a_kept_subtree_equals_a_fresh_search_of_as_many_simulations() {
    let mut settings = settings(RootKind::Puct);
    settings.puct.root_fpu_reduction = settings.puct.fpu_reduction;
    let mut kept = search(game(MIDDLE), &settings);
    let best = run(&mut kept, quiet(400), hashed).best;
    kept.advance(best);
    let kept = run(&mut kept, quiet(0), hashed);
    let visits: u32 = kept.moves.iter().map(|m| m.visits).sum();
    assert!(visits > 20, "the best move was searched: {visits}");

    let mut after = game(MIDDLE);
    after.play(best);
    let mut fresh = search(after, &settings);
    let fresh = run(&mut fresh, quiet(visits), hashed);
    assert_near(kept.score, fresh.score);
    for (kept, fresh) in kept.moves.iter().zip(&fresh.moves) {
        assert_eq!((kept.mv, kept.visits), (fresh.mv, fresh.visits));
        assert_near(kept.prior, fresh.prior);
        if kept.visits > 0 {
            assert_near(kept.score, fresh.score);
        }
    }
}

#[test]
fn a_kept_subtree_holds_only_what_can_be_reached() {
    for root in ROOTS {
        let mut search = search(game(MIDDLE), &settings(root));
        let summary = run(&mut search, quiet(200), hashed);
        let before = search.nodes();
        let best = summary.moves.iter().find(|m| m.mv == summary.best).unwrap();
        search.advance(best.mv);
        assert!(search.nodes() <= best.visits as usize && search.nodes() > 1);
        assert!(search.nodes() < before);
        let next = run(&mut search, quiet(100), hashed);
        assert_eq!(next.simulations, 100);
        assert_eq!(next.moves.iter().map(|m| m.visits).sum::<u32>(), best.visits - 1 + 100);
    }
}

#[test]
fn without_reuse_every_search_is_a_fresh_one() {
    for root in ROOTS {
        let settings = dropping(root);
        let mut played = search(game(MIDDLE), &settings);
        let best = run(&mut played, quiet(64), hashed).best;
        played.advance(best);
        assert_eq!(played.nodes(), 0);
        let mut after = game(MIDDLE);
        after.play(best);
        let mut fresh = search(after, &settings);
        assert_eq!(run(&mut played, quiet(64), hashed), run(&mut fresh, quiet(64), hashed));
    }
}

#[test]
fn a_move_that_was_never_visited_drops_the_tree() {
    let mut search = search(game(MIDDLE), &settings(RootKind::Gumbel));
    let summary = run(&mut search, quiet(8), hashed);
    let unvisited = summary.moves.iter().find(|m| m.visits == 0).unwrap();
    search.advance(unvisited.mv);
    assert_eq!(search.nodes(), 0);
    assert_eq!(run(&mut search, quiet(8), hashed).simulations, 8);
}

/// Whole games in both modes: the budget is used up at every move and nothing breaks.
#[test]
fn games_are_played_to_their_end() {
    for root in ROOTS {
        for settings in [settings(root), dropping(root)] {
            let rules = Rules { max_plies: Some(120), ..Rules::STANDARD };
            let mut search = search(Game::startpos(rules), &settings);
            let mut plies = 0;
            while search.game().end().is_none() {
                let summary = run(&mut search, noisy(24), hashed);
                check(&summary);
                search.advance(summary.best);
                plies += 1;
            }
            assert!(plies > 10, "{plies}");
        }
    }
}

fn check(summary: &RootSummary) {
    assert!(summary.simulations == 24 || summary.proven.is_some());
    let policy: f32 = summary.moves.iter().map(|m| m.policy).sum();
    assert!((policy - 1.0).abs() < 1e-4, "policy sums to {policy}");
    let wdl = summary.wdl;
    assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-4, "{wdl:?}");
}
