use keiko_mcts::{RootKind, SearchSettings, Wdl};
use keiko_selfplay::{Growth, Opening, OpeningChoice, Settings};

use crate::failures::Delayed;
use crate::shards::Shards;
use crate::{Case, SEARCH, SETTINGS, played, run};

fn with(change: fn(&mut Settings)) -> Settings {
    let mut settings = SETTINGS;
    change(&mut settings);
    settings
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let one = played(&Case::default());
    for workers in [2, 3, 8] {
        let settings = Settings { workers, ..SETTINGS };
        let other = played(&Case { settings, ..Case::default() });
        assert!(one.bytes() == other.bytes(), "{workers} workers");
    }
}

#[test]
fn the_number_of_workers_changes_nothing_with_noise_and_kept_subtrees() {
    let search = SearchSettings { root: RootKind::Puct, reuse_subtree: true, ..SEARCH };
    let one = played(&Case { search, ..Case::default() });
    let settings = Settings { workers: 3, ..SETTINGS };
    assert!(one.bytes() == played(&Case { settings, search, ..Case::default() }).bytes());
    assert!(one.bytes() != played(&Case::default()).bytes());
    for game in one.games() {
        game.validate().unwrap();
    }
}

#[test]
fn a_slow_worker_changes_nothing_even_when_the_others_must_wait_for_it() {
    let settings = with(|settings| {
        settings.workers = 3;
        settings.max_ahead_games = 12;
        settings.games_per_group = 2;
    });
    let games = 40;
    let even = played(&Case { settings: settings.clone(), games, ..Case::default() });
    let uneven = Case { settings, games, backend: &Delayed::first_worker, ..Case::default() };
    assert!(even.bytes() == played(&uneven).bytes());
}

#[test]
fn the_sizes_of_groups_change_nothing() {
    let plain = played(&Case::default());
    for settings in [
        with(|settings| settings.groups = 1),
        with(|settings| settings.games_per_group = 1),
        with(|settings| settings.max_ahead_games = 100),
    ] {
        assert!(plain.bytes() == played(&Case { settings, ..Case::default() }).bytes());
    }
}

#[test]
fn seeds_and_settings_change_the_games() {
    let plain = played(&Case::default()).bytes();
    let seeded = played(&Case { run_seed: 2, ..Case::default() }).bytes();
    let policy = Opening { choice: OpeningChoice::Policy, ..SETTINGS.opening };
    let settings = Settings { opening: policy, ..SETTINGS };
    let opened = played(&Case { settings, ..Case::default() }).bytes();
    assert!(plain != seeded && plain != opened && seeded != opened);
}

#[test]
fn stopped_and_continued_is_uninterrupted() {
    let whole = played(&Case::default());
    for (stop_after, workers) in [(1, 1), (2, 2), (3, 3)] {
        let settings = Settings { workers, ..SETTINGS };
        let mut shards = Shards::default();
        let stopping =
            Case { settings: settings.clone(), stop_after: Some(stop_after), ..Case::default() };
        let report = run(&stopping, &mut shards).unwrap();
        assert!(report.shards >= stop_after);
        assert_eq!(report.statistics.games(), shards.games().len() as u64);
        let full = shards.shards.values().all(|games| games.len() == 5 || report.shards == 5);
        assert!(full, "only whole shards are published");
        let report = run(&Case { settings, ..Case::default() }, &mut shards).unwrap();
        assert!(!report.stopped);
        assert_eq!(shards.order, [0, 1, 2, 3, 4]);
        assert!(whole.bytes() == shards.bytes(), "stopped after {stop_after}");
    }
}

#[test]
fn a_missing_shard_in_the_middle_is_filled() {
    let whole = played(&Case::default());
    let mut shards = played(&Case::default());
    shards.shards.remove(&1);
    shards.shards.remove(&4);
    let report = run(&Case::default(), &mut shards).unwrap();
    assert_eq!((report.shards, report.statistics.games()), (2, 8));
    assert!(whole.bytes() == shards.bytes());
}

#[test]
fn a_complete_generation_plays_nothing() {
    let mut shards = played(&Case::default());
    let failing = Case { backend: &|_| Ok(Delayed::constant(Wdl::WIN)), ..Case::default() };
    let report = run(&failing, &mut shards).unwrap();
    assert_eq!((report.shards, report.stopped), (0, false));
}

/// A generation's simulations are those of its number, whatever was played before and however often it is stopped.
#[test]
fn a_generation_that_has_grown_is_one_with_so_many_simulations() {
    let growing = with(|settings| settings.growth = Growth { simulations: 12, generations: 4 });
    let settings = growing.in_generation(2);
    assert_eq!(settings.simulations, 8);
    let constant = with(|settings| settings.simulations = 8);
    let constant = played(&Case { settings: constant, ..Case::default() });
    let mut continued = Shards::default();
    let stopped = Case { settings: settings.clone(), stop_after: Some(2), ..Case::default() };
    assert!(run(&stopped, &mut continued).unwrap().stopped);
    run(&Case { settings, ..Case::default() }, &mut continued).unwrap();
    assert!(constant.bytes() == continued.bytes());
    assert!(constant.bytes() != played(&Case::default()).bytes());
}

/// Visits decide nothing where moves are drawn from the policy.
#[test]
fn self_play_never_stops_because_a_move_leads() {
    let settings = with(|settings| settings.simulations = 12);
    let mut search = SearchSettings { root: RootKind::Puct, ..SEARCH };
    let whole = played(&Case { settings: settings.clone(), search, ..Case::default() });
    search.stop.decided = true;
    assert!(whole.bytes() == played(&Case { settings, search, ..Case::default() }).bytes());
}
