use std::sync::atomic::{AtomicU64, Ordering};

use keiko_selfplay::{Allowance, Settings};

use crate::shards::Shards;
use crate::{Case, SETTINGS, played, run};

/// The games of a stream without an end are the first ones of a stream that has one.
fn assert_first_games(open: &Shards, games: u64) {
    let all = played(&Case { games: 60, ..Case::default() });
    assert_eq!(open.games().len() as u64, games);
    assert!(open.games() == all.games()[..games as usize]);
    let numbers: Vec<u64> = (0..games.div_ceil(u64::from(SETTINGS.shard_max_games))).collect();
    assert_eq!(open.order, numbers);
}

#[test]
fn games_begin_as_far_as_is_allowed_and_a_closed_stream_has_no_gap() {
    for workers in [1, 3] {
        let (allowance, end) = (Allowance::default(), AtomicU64::new(0));
        let allow = |games| {
            assert!(allowance.begun() <= end.swap(games, Ordering::Relaxed));
            allowance.allow(games);
        };
        allow(10);
        let at_shard = |shards| match shards {
            2 => allow(20),
            4 => allow(27),
            5 => allowance.close(),
            _ => assert!(allowance.begun() <= end.load(Ordering::Relaxed)),
        };
        let settings = Settings { workers, ..SETTINGS };
        let (games, allowance) = (u64::MAX, Some(&allowance));
        let case = Case { settings, games, allowance, at_shard: &at_shard, ..Case::default() };
        let mut shards = Shards::default();
        let report = run(&case, &mut shards).unwrap();
        let begun = case.allowance.unwrap().begun();
        assert!(!report.stopped && (25..=27).contains(&begun), "{begun} games");
        assert_first_games(&shards, begun);
    }
}

#[test]
fn a_stopped_stream_keeps_the_games_that_were_finished_in_order() {
    let allowance = Allowance::default();
    allowance.allow(60);
    let (games, allowance) = (u64::MAX, Some(&allowance));
    let case = Case { games, allowance, stop_after: Some(2), ..Case::default() };
    let mut shards = Shards::default();
    assert!(run(&case, &mut shards).unwrap().stopped);
    let games = shards.games().len() as u64;
    assert!((10..60).contains(&games), "{games} games");
    assert_first_games(&shards, games);
}
