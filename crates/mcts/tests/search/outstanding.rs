//! Several leaves at a time: virtual visits come and go without a trace.

use keiko_mcts::{
    ApplyError, Evaluation, Leaf, LeafId, RootKind, Search, SearchSettings, Selection, Wdl,
};
use keiko_shogi::{Game, Rules};

use crate::hashed::hashed;
use crate::support::{MIDDLE, ROOTS, finish, game, mv, next, quiet, run, search, settings};

type Waiting = Vec<(LeafId, Vec<f32>, Wdl)>;

/// Selects up to `limit` leaves.
fn gather(search: &mut Search, limit: usize) -> Waiting {
    let mut waiting = Waiting::new();
    while waiting.len() < limit {
        match next(search, hashed) {
            Some(leaf) => waiting.push(leaf),
            None => break,
        }
    }
    waiting
}

fn apply_all(search: &mut Search, waiting: &Waiting) {
    for (id, logits, wdl) in waiting {
        search.apply(*id, &Evaluation { logits, wdl: *wdl }).unwrap();
    }
}

#[test]
fn batches_use_the_whole_budget_and_leave_nothing_outstanding() {
    for root in ROOTS {
        let mut search = search(game(MIDDLE), &settings(root));
        search.begin(quiet(300)).unwrap();
        loop {
            let waiting = gather(&mut search, 16);
            if waiting.is_empty() {
                break;
            }
            apply_all(&mut search, &waiting);
        }
        assert!(matches!(search.select(), Selection::Done));
        let summary = search.summary();
        assert_eq!(summary.simulations, 300);
        assert_eq!(summary.moves.iter().map(|m| m.visits).sum::<u32>(), 300);
    }
}

/// Cancelling all leaves undoes their selection exactly: the search goes on as if nothing had been.
/// (Simulations that end in a mate need no evaluation and stay, so none are looked for here.)
#[test]
fn cancelled_leaves_leave_no_trace() {
    for root in ROOTS {
        let settings = SearchSettings { mate_in_one: false, ..settings(root) };
        let mut disturbed = search(game(MIDDLE), &settings);
        disturbed.begin(quiet(200)).unwrap();
        let mut undisturbed = disturbed.clone();
        let mut round = 0;
        while let Some((id, logits, wdl)) = next(&mut disturbed, hashed) {
            disturbed.apply(id, &Evaluation { logits: &logits, wdl }).unwrap();
            round += 1;
            if round % 7 == 0 {
                let mut waiting = gather(&mut disturbed, round % 20);
                if round % 2 == 0 {
                    waiting.reverse();
                }
                waiting.iter().for_each(|leaf| disturbed.cancel(leaf.0));
            }
        }
        let (left, right) = (disturbed.summary(), finish(&mut undisturbed, hashed));
        for (left, right) in left.moves.iter().zip(&right.moves) {
            assert_eq!(left, right, "{root:?}");
        }
        assert_eq!(left, right);
    }
}

/// The sums do not depend on the order in which the leaves of a batch come back.
#[test]
fn the_order_of_applying_does_not_matter_to_visits() {
    for root in ROOTS {
        let mut forward = search(game(MIDDLE), &settings(root));
        forward.begin(quiet(64)).unwrap();
        let waiting = gather(&mut forward, 1);
        apply_all(&mut forward, &waiting);
        let mut backward = forward.clone();
        let waiting = gather(&mut forward, 8);
        apply_all(&mut forward, &waiting);
        let mut waiting = gather(&mut backward, 8);
        waiting.reverse();
        apply_all(&mut backward, &waiting);
        let visits = |search: &Search| {
            search.summary().moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
        };
        assert_eq!(visits(&forward), visits(&backward));
    }
}

/// Batches select different leaves.
#[test]
fn no_leaf_is_handed_out_twice() {
    for root in ROOTS {
        let mut search = search(game(MIDDLE), &settings(root));
        search.begin(quiet(500)).unwrap();
        let waiting = gather(&mut search, 1);
        apply_all(&mut search, &waiting);
        let mut lines = std::collections::BTreeSet::new();
        for _ in 0..40 {
            if let Selection::Leaf(leaf) = search.select() {
                assert!(lines.insert(leaf.game.moves().to_vec()), "{:?}", leaf.game.moves());
            }
        }
        assert!(lines.len() >= 8, "{} leaves at once", lines.len());
    }
}

/// The root is the only leaf of a new tree, and a single reply the only one of a forced line.
#[test]
fn waits_when_the_only_leaf_is_outstanding() {
    for root in ROOTS {
        let mut waiting = search(Game::startpos(Rules::STANDARD), &settings(root));
        waiting.begin(quiet(10)).unwrap();
        assert!(matches!(waiting.select(), Selection::Leaf(_)));
        assert!(matches!(waiting.select(), Selection::Wait));

        // White is in check and has one move.
        let forced = game("k8/1P7/9/9/9/9/9/9/LK7 w - 1");
        let mut list = keiko_shogi::MoveList::new();
        forced.legal_moves(&mut list);
        assert_eq!(list.len(), 1, "{list:?}");
        let mut forced = search(forced, &settings(root));
        forced.begin(quiet(10)).unwrap();
        let first = gather(&mut forced, 1);
        apply_all(&mut forced, &first);
        let reply = gather(&mut forced, 5);
        assert_eq!(reply.len(), 1, "behind the only move is one leaf");
        assert!(matches!(forced.select(), Selection::Wait));
        apply_all(&mut forced, &reply);
        assert!(gather(&mut forced, 3).len() > 1, "then there are several");
    }
}

/// A favourite line that is blocked further down does not keep other leaves back.
#[test]
fn goes_elsewhere_when_the_favourite_line_is_blocked() {
    // The drop on 9i checks and leaves White one reply.
    let check = mv("L*9i");
    let favourite = |leaf: &Leaf<'_>| {
        let logits = leaf.moves.iter().map(|&m| if m == check { 6.0 } else { 0.0 }).collect();
        let win = if leaf.game.moves().is_empty() { 0.5 } else { 0.01 };
        (logits, Wdl { win, draw: 0.0, loss: 1.0 - win })
    };
    let mut search = search(game("k8/1P7/9/9/9/9/9/9/1K7 b L 1"), &settings(RootKind::Puct));
    search.begin(quiet(50)).unwrap();
    for _ in 0..2 {
        let (id, logits, wdl) = next(&mut search, favourite).unwrap();
        search.apply(id, &Evaluation { logits: &logits, wdl }).unwrap();
    }
    assert_eq!(search.summary().moves.iter().find(|m| m.mv == check).unwrap().visits, 1);
    let Selection::Leaf(reply) = search.select() else { panic!("the reply is a leaf") };
    assert_eq!(reply.game.moves(), [check, mv("9a8b")]);
    for _ in 0..5 {
        let Selection::Leaf(other) = search.select() else { panic!("there are other moves") };
        assert_ne!(other.game.moves()[0], check);
    }
}

#[test]
fn wrong_evaluations_are_refused_and_change_nothing() {
    let mut search = search(game(MIDDLE), &settings(RootKind::Gumbel));
    search.begin(quiet(20)).unwrap();
    let (id, mut logits, wdl) = next(&mut search, hashed).unwrap();
    let moves = logits.len();
    let mut refused = |logits: &[f32], wdl| search.apply(id, &Evaluation { logits, wdl });
    assert_eq!(refused(&logits[1..], wdl), Err(ApplyError::Length { logits: moves - 1, moves }));
    let half = Wdl { win: 0.5, draw: 0.0, loss: 0.0 };
    assert_eq!(refused(&logits, half), Err(ApplyError::Wdl));
    assert_eq!(refused(&logits, Wdl { win: f32::NAN, ..half }), Err(ApplyError::Wdl));
    let good = std::mem::replace(&mut logits[3], f32::NAN);
    assert_eq!(refused(&logits, wdl), Err(ApplyError::Logit { index: 3 }));
    logits[3] = good;
    assert_eq!(refused(&logits, wdl), Ok(()));
    assert_eq!(refused(&logits, wdl), Err(ApplyError::UnknownLeaf));
    let mut plain = crate::support::search(game(MIDDLE), &settings(RootKind::Gumbel));
    assert_eq!(finish(&mut search, hashed), run(&mut plain, quiet(20), hashed));
}

#[test]
fn a_leaf_of_before_is_refused_after_the_move() {
    let mut search = search(game(MIDDLE), &settings(RootKind::Puct));
    let best = run(&mut search, quiet(20), hashed).best;
    search.begin(quiet(20)).unwrap();
    let (id, logits, wdl) = next(&mut search, hashed).unwrap();
    search.advance(best);
    let late = search.apply(id, &Evaluation { logits: &logits, wdl });
    assert_eq!(late, Err(ApplyError::UnknownLeaf));
}
