//! Searches that end before their simulations are used up.

use keiko_mcts::{
    Evaluation, RootKind, RootSummary, Search, SearchLimit, SearchSettings, Selection,
};

use crate::hashed::hashed;
use crate::support::{MIDDLE, ROOTS, game, noisy, quiet, random_games, run, search, settings};

/// No looks for mates, so that only what a search plays out is proven.
fn stopping(root: RootKind, change: impl Fn(&mut SearchSettings)) -> SearchSettings {
    let mut settings = SearchSettings { mate_in_one: false, ..settings(root) };
    change(&mut settings);
    settings
}

/// A search with so many leaves out at a time.
fn run_in_batches(search: &mut Search, limit: SearchLimit, leaves: usize) -> RootSummary {
    search.begin(limit).unwrap();
    loop {
        let mut waiting = Vec::new();
        while waiting.len() < leaves
            && let Selection::Leaf(leaf) = search.select()
        {
            let (mut logits, wdl) = hashed(&leaf);
            // Strong priors, so that one move leads early.
            logits.iter_mut().for_each(|logit| *logit *= 4.0);
            waiting.push((leaf.id, logits, wdl));
        }
        if waiting.is_empty() {
            assert!(matches!(search.select(), Selection::Done));
            return search.summary();
        }
        for (id, logits, wdl) in waiting {
            search.apply(id, &Evaluation { logits: &logits, wdl }).unwrap();
        }
    }
}

/// What is decided stays: with and without noise, with one leaf at a time and with several, in fresh trees and in
/// kept ones.
#[test]
fn a_decided_search_plays_what_the_whole_search_plays() {
    let (mut compared, mut saved) = (0, 0);
    for (index, game) in random_games(150).into_iter().enumerate() {
        let whole = stopping(RootKind::Puct, |_| {});
        let stopped = stopping(RootKind::Puct, |s| s.stop.decided = true);
        let leaves = [1, 4, 16][index % 3];
        let limit = [quiet(60), noisy(60), quiet(400)][index / 3 % 3];
        let mut searches = [whole, stopped].map(|settings| search(game.clone(), &settings));
        for _ in 0..3 {
            let [whole, stopped] =
                searches.each_mut().map(|search| run_in_batches(search, limit, leaves));
            if whole.moves.iter().any(|m| m.proof.is_some()) {
                break;
            }
            assert_eq!(whole.best, stopped.best, "{limit:?}, {leaves} leaves, {}", game.sfen());
            assert!(stopped.simulations <= whole.simulations);
            compared += 1;
            saved += whole.simulations - stopped.simulations;
            // The trees differ from here on, so the stopped one begins anew from the whole one.
            searches[1] = Search::clone(&searches[0]);
            searches.iter_mut().for_each(|search| search.advance(whole.best));
            if searches[0].game().end().is_some() {
                break;
            }
        }
    }
    assert!(compared > 100 && saved > 1000, "{compared} searches, {saved} simulations saved");
}

/// A search is stopped as soon as it is decided, and no later.
#[test]
fn the_stop_comes_with_the_decision() {
    for game in random_games(40) {
        let settings = stopping(RootKind::Puct, |s| s.stop.decided = true);
        let summary = run(&mut search(game, &settings), quiet(200), hashed);
        let mut visits: Vec<u32> =
            summary.moves.iter().filter(|m| m.proof.is_none()).map(|m| m.visits).collect();
        visits.sort_unstable();
        let second = visits.len().checked_sub(2).map_or(0, |index| visits[index]);
        let lead = visits.last().unwrap_or(&0) - second;
        let left = 200 - summary.simulations;
        if summary.moves.iter().all(|m| m.proof.is_none()) {
            assert!(left == 0 || (lead > left && lead <= left + 2), "{lead} ahead, {left} left");
        }
    }
}

#[test]
fn a_search_ends_when_its_shares_stand_still() {
    let simulations = |gain, interval| {
        let settings = stopping(RootKind::Puct, |s| {
            s.stop.min_kld_gain = gain;
            s.stop.kld_interval_visits = interval;
        });
        run(&mut search(game(MIDDLE), &settings), quiet(2000), hashed).simulations
    };
    assert_eq!(simulations(0.0, 50), 2000);
    assert_eq!(simulations(1e9, 50), 100, "the second look is the first that sees a change");
    let ends = [1e-6, 1e-5, 1e-4, 1e-3].map(|gain| simulations(gain, 50));
    assert!(ends.is_sorted_by(|a, b| a >= b), "{ends:?}");
    assert!(ends[0] > ends[3] && ends[2] < 2000, "{ends:?}");
}

/// A Gumbel root plans its visits and makes them all.
#[test]
fn a_gumbel_root_never_stops_early() {
    for root in ROOTS {
        let all = |s: &mut SearchSettings| {
            (s.stop.decided, s.stop.min_kld_gain, s.stop.kld_interval_visits) = (true, 1e9, 10);
        };
        let stopped = run(&mut search(game(MIDDLE), &stopping(root, all)), quiet(100), hashed);
        let whole = run(&mut search(game(MIDDLE), &stopping(root, |_| {})), quiet(100), hashed);
        assert_eq!(stopped == whole, root == RootKind::Gumbel);
    }
}
