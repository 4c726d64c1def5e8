//! The window is a function of the log.

use std::collections::{BTreeMap, BTreeSet};

use keiko_encoding::EncodingId;
use keiko_replay::{
    IngestEntry, IngestLog, IngestedShard, PlyRecord, RowSource, Sampler, SearchKind, Window,
    WindowError, WindowSettings, is_held_out, left_behind,
};
use keiko_store::{LogError, Store};

use crate::support::{START, random_game, run_of, settings, window_of};

const GAMES: [u64; 6] = [20, 10, 15, 1, 30, 10];

fn contents(window: &Window) -> Vec<String> {
    let sampler = Sampler::new(3, 64);
    let mut rows = sampler.rows(window, 5).unwrap();
    rows.extend(sampler.held_out_rows(window));
    let sources = rows.iter().map(|row| format!("{:?} {row:?}", row.source(window)));
    let mut contents: Vec<_> = sources.collect();
    contents.push(format!(
        "{} games, {} rows, {} held out, {} in all, {} entries",
        window.games(),
        window.rows(),
        window.held_out_rows(),
        window.total_rows(),
        window.entries()
    ));
    contents
}

#[test]
fn one_reading_and_many_give_the_same_window() {
    let (_dir, store) = run_of(&GAMES);
    for window in [
        settings().window,
        WindowSettings::LastRows { min_rows: 10, max_rows: 300 },
        WindowSettings::LastRows { min_rows: 10, max_rows: 10_000 },
    ] {
        let settings = keiko_replay::Settings { window, ..settings() };
        let whole = window_of(&store, settings.clone());
        let mut steps = Window::new(settings, whole.encoding()).unwrap();
        for through in 0..=6 {
            steps.advance(&store, through).unwrap();
        }
        assert_eq!(contents(&steps), contents(&whole));
        assert_eq!(steps.entries(), 6);
        assert!(matches!(steps.advance(&store, 5), Err(WindowError::Backwards { .. })));
    }
}

/// Whole games from the newest back, until there are as many rows as the settings say.
#[test]
fn the_window_holds_the_newest_rows_and_whole_games() {
    let games = [4, 3, 1, 5];
    let (_dir, store) = run_of(&games);
    let mut rows_of_games = Vec::new();
    for (number, &games) in games.iter().enumerate() {
        for index in 0..games {
            let game = random_game(&format!("gen-{number:04}"), index, START);
            let [full, fast] = [SearchKind::Full, SearchKind::Fast].map(|k| game.plies_searched(k));
            rows_of_games.push(u64::from(full + fast));
        }
    }
    let total = rows_of_games.iter().sum::<u64>();
    for max_rows in 1..=total + 1 {
        let mut expected = 0;
        for rows in rows_of_games.iter().rev() {
            if expected < max_rows {
                expected += rows;
            }
        }
        let window = WindowSettings::LastRows { min_rows: 1, max_rows };
        let settings = keiko_replay::Settings { window, ..settings() };
        let whole = window_of(&store, settings.clone());
        assert_eq!(whole.rows() + whole.held_out_rows(), expected, "{max_rows} of {total}");
        let mut steps = Window::new(settings, whole.encoding()).unwrap();
        for through in 1..=4 {
            steps.advance(&store, through).unwrap();
        }
        assert_eq!(steps.rows() + steps.held_out_rows(), expected, "{max_rows} of {total}");
        assert_eq!(steps.games(), whole.games());
    }
}

#[test]
fn shards_that_are_too_old_are_not_read() {
    let (_dir, store) = run_of(&GAMES);
    let first = settings().rows_of(&IngestLog::new(&store).read(0).unwrap().shards);
    let total = window_of(&store, settings()).total_rows();
    store.delete("games/gen-0000/000000.games").unwrap();
    for max_rows in [300, total - first] {
        let last = WindowSettings::LastRows { min_rows: 10, max_rows };
        window_of(&store, keiko_replay::Settings { window: last, ..settings() });
    }
    let all = WindowSettings::LastRows { min_rows: 10, max_rows: 100_000 };
    let settings = keiko_replay::Settings { window: all, ..settings() };
    let mut window = Window::new(settings, keiko_encoding::EncodingId::Dlshogi57).unwrap();
    let error = window.advance(&store, 6).unwrap_err();
    assert!(matches!(error, WindowError::Missing { .. }));
    assert!(error.to_string().contains(" is gone, but the ingest log names it"), "{error}");
}

/// Left behind is just what windows can do without, now and later.
#[test]
fn no_window_misses_what_is_left_behind() {
    let (_dir, store) = run_of(&[4, 3, 1, 5, 2]);
    let window = WindowSettings::LastRows { min_rows: 1, max_rows: 60 };
    let settings = keiko_replay::Settings { window, ..settings() };
    let log = IngestLog::new(&store);
    let shards = (0..5).map(|number| log.read(number).unwrap().shards.remove(0));
    let shards: Vec<IngestedShard> = shards.collect();
    for entries in 1..=5 {
        let is_needed = |shard: &IngestedShard| {
            let bytes = store.get(&shard.key).unwrap();
            store.delete(&shard.key).unwrap();
            let needed = (entries..=5).any(|through| {
                let mut window = Window::new(settings.clone(), EncodingId::Dlshogi57).unwrap();
                window.advance(&store, through).is_err()
            });
            store.put_new(&shard.key, &bytes).unwrap();
            needed
        };
        let old = left_behind(&store, &settings, entries).unwrap();
        let expected: Vec<_> = shards.iter().filter(|shard| !is_needed(shard)).cloned().collect();
        assert_eq!(old, expected, "{entries}");
        assert!(entries < 5 || !old.is_empty());
    }
    assert_eq!(left_behind(&store, &settings, 6).unwrap(), []);
}

/// A game that shares positions with an earlier one is held out exactly if that one is.
#[test]
fn held_out_games_are_never_drawn() {
    let is_held_out = |source: &keiko_replay::RowSource, modulus| {
        let stream = if source.index % 2 == 1 { "x" } else { &source.stream };
        is_held_out(stream, source.index, modulus)
    };
    let (_dir, store) = run_of(&GAMES);
    let window = window_of(&store, settings());
    assert!(window.held_out_rows() > 0);
    let sampler = Sampler::new(1, 32);
    for step in 0..100 {
        for row in sampler.rows(&window, step).unwrap() {
            let source = row.source(&window);
            assert!(!is_held_out(&source, 5), "{source:?}");
        }
    }
    for row in sampler.held_out_rows(&window) {
        let source = row.source(&window);
        assert!(is_held_out(&source, 5), "{source:?}");
        assert!(!row.is_mirrored());
    }
    assert_eq!(Sampler::new(1, 10_000).held_out_rows(&window).len() as u64, window.held_out_rows());
}

#[test]
fn batches_keep_the_cap_and_hold_no_row_twice() {
    let (_dir, store) = run_of(&GAMES);
    let window = window_of(&store, settings());
    let capacity = Sampler::new(1, 100_000).rows(&window, 0).unwrap_err().rows as usize;
    for batch_rows in [1, 64, capacity / 2, capacity / 2 + 1, capacity] {
        let rows = Sampler::new(1, batch_rows).rows(&window, 9).unwrap();
        assert_eq!(rows.len(), batch_rows);
        let sources: Vec<_> = rows.iter().map(|row| row.source(&window)).collect();
        assert_eq!(sources.iter().collect::<BTreeSet<_>>().len(), batch_rows);
        for source in &sources {
            let game = |s: &&keiko_replay::RowSource| {
                (&s.stream, s.index) == (&source.stream, source.index)
            };
            assert!(sources.iter().filter(game).count() <= 4);
        }
    }
    let error = Sampler::new(1, capacity + 1).rows(&window, 9).unwrap_err();
    assert!(error.to_string().contains("max_rows_per_game"), "{error}");
}

#[test]
fn the_sampler_is_a_function_of_seed_and_step_and_uniform() {
    let (_dir, store) = run_of(&[40]);
    let window = window_of(&store, settings());
    let sampler = Sampler::new(7, 32);
    assert_eq!(sampler.rows(&window, 3).unwrap(), Sampler::new(7, 32).rows(&window, 3).unwrap());
    assert_ne!(sampler.rows(&window, 3).unwrap(), sampler.rows(&window, 4).unwrap());
    assert_ne!(sampler.rows(&window, 3).unwrap(), Sampler::new(8, 32).rows(&window, 3).unwrap());
    let mut uses = std::collections::BTreeMap::new();
    let mut mirrored = 0;
    for step in 0..2000 {
        for row in sampler.rows(&window, step).unwrap() {
            *uses.entry(row.source(&window)).or_insert(0_u32) += 1;
            mirrored += u32::from(row.is_mirrored());
        }
    }
    let expected = 2000.0 * 32.0 / window.rows() as f64;
    assert_eq!(uses.len() as u64, window.rows());
    let (least, most) = (uses.values().min().unwrap(), uses.values().max().unwrap());
    assert!(f64::from(*least) > 0.6 * expected && f64::from(*most) < 1.4 * expected);
    assert!((31_000..33_000).contains(&mirrored), "{mirrored} of 64000");
}

type Drawn = [(u64, u16, bool); 4];

/// The first rows of batches of 4, of half of all that may be drawn, and of one more.
const GOLDEN: [Drawn; 3] = [
    [(37, 10, false), (37, 9, true), (20, 19, false), (25, 17, false)],
    [(37, 10, true), (37, 9, true), (20, 19, true), (25, 17, true)],
    [(38, 1, false), (36, 13, true), (38, 9, false), (32, 1, true)],
];

/// What the sampler draws without weights stays what it was.
#[test]
fn batches_without_weights_are_these() {
    let (_dir, store) = run_of(&[40]);
    let window = window_of(&store, settings());
    let capacity = Sampler::new(7, usize::MAX).rows(&window, 3).unwrap_err().rows as usize;
    let drawn = [4, capacity / 2, capacity / 2 + 1].map(|batch_rows| -> Drawn {
        let rows = Sampler::new(7, batch_rows).rows(&window, 3).unwrap();
        std::array::from_fn(|i| {
            let source = rows[i].source(&window);
            (source.index, source.ply, rows[i].is_mirrored())
        })
    });
    assert_eq!(drawn, GOLDEN);
}

/// By record: what each row's uses should be, where the mean is 1.
fn expected_uses(weight: f64, streams: &[(&str, u64)]) -> BTreeMap<RowSource, f64> {
    let mut uses = BTreeMap::new();
    for &(stream, games) in streams {
        for index in 0..games {
            let record = random_game(stream, index, START);
            let plies = record.plies.iter().filter(|ply| ply.search == SearchKind::Full);
            let kl = |ply: &PlyRecord| ply.policy.divergence_from(&ply.raw_policy);
            let (rows, sum) = (plies.clone().count() as f64, plies.map(kl).sum::<f64>());
            for (number, ply) in (0..).zip(&record.plies) {
                let share = match ply.search {
                    SearchKind::Full => 1.0 - weight + weight * rows * kl(ply) / sum,
                    SearchKind::Fast => 1.0,
                    SearchKind::None => continue,
                };
                uses.insert(RowSource { stream: stream.to_owned(), index, ply: number }, share);
            }
        }
    }
    uses
}

/// Counts of many batches are those expected, both where batches are drawn by rejection and where from all rows in order.
/// Rows without a search of their own in full keep the mean; every game keeps its share. The bounds are five standard
/// deviations of a count, and what drawing none twice takes from the likeliest rows: at most their chance to be drawn by
/// one of the other rows of a batch.
#[test]
fn surprise_weighs_the_uses_of_rows() {
    let (_dir, store) = run_of(&[60]);
    let settings =
        keiko_replay::Settings { surprise_weight: 0.5, max_rows_per_game: 100, ..settings() };
    let window = window_of(&store, settings.clone());
    let expected = expected_uses(0.5, &[("gen-0000", 60)]);
    let (rows, most) = (window.rows() as f64, window.evenness().1);
    assert!(most > 1.3 && window.evenness().0 < rows, "{most}");
    let mut drawn = BTreeSet::new();
    for (batch_rows, batches) in [(8, 40_000_u64), (1, 200_000)] {
        let sampler = Sampler::new(7, batch_rows);
        let mut uses = BTreeMap::new();
        for step in 0..batches {
            for row in sampler.rows(&window, step).unwrap() {
                *uses.entry(row.source(&window)).or_insert(0_u32) += 1;
            }
        }
        let mean = (batches * batch_rows as u64) as f64 / rows;
        let mut games = BTreeMap::new();
        for (source, &count) in &uses {
            let wanted = expected[source] * mean;
            let bound = 5.0 * wanted.sqrt() + wanted * (batch_rows - 1) as f64 * most / rows;
            assert!((f64::from(count) - wanted).abs() < bound, "{source:?}: {count}, {wanted}");
            let game = games.entry(source.index).or_insert((0.0, 0.0));
            *game = (game.0 + f64::from(count), game.1 + mean);
        }
        assert_eq!(uses.len() as u64, window.rows());
        drawn.extend(uses.into_keys());
        for (index, (count, wanted)) in games {
            let bound = 5.0 * f64::sqrt(wanted) + wanted * (batch_rows - 1) as f64 * most / rows;
            assert!((count - wanted).abs() < bound, "game {index}: {count}, {wanted}");
        }
    }
    // The first row of a batch that takes more than half of all is drawn as that of a smaller one.
    let whole = Sampler::new(7, window.rows() as usize);
    let mut first = BTreeMap::new();
    let batches = 8_000_u32;
    for step in 0..batches {
        let row = whole.rows(&window, step.into()).unwrap()[0];
        *first.entry(row.source(&window)).or_insert(0_u32) += 1;
    }
    let (mut chi2, mut moments, mut mean) = (0.0, [0.0; 2], 0.0);
    for source in &drawn {
        let uses = expected[source];
        let wanted = uses * f64::from(batches) / rows;
        let count = first.get(source).copied().unwrap_or(0);
        chi2 += (f64::from(count) - wanted).powi(2) / wanted;
        mean += uses * f64::from(count) / f64::from(batches);
        moments = [moments[0] + uses.powi(2) / rows, moments[1] + uses.powi(3) / rows];
    }
    // Rows of more uses come first more often.
    let deviation = ((moments[1] - moments[0].powi(2)) / f64::from(batches)).sqrt();
    assert!(mean > 1.0 + 5.0 * deviation, "{mean}, {deviation}");
    assert!((mean - moments[0]).abs() < 5.0 * deviation, "{mean}, {moments:?}, {deviation}");
    // Five standard deviations above the mean of the distribution.
    assert!(chi2 < rows + 5.0 * (2.0 * rows).sqrt(), "{chi2} for {rows} rows");
}

#[test]
fn surprise_is_the_same_for_any_threads_and_reading_and_nothing_without_weight() {
    let (_dir, store) = run_of(&GAMES);
    let settings = keiko_replay::Settings { surprise_weight: 0.9, ..settings() };
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| contents(&window_of(&store, settings.clone())))
    };
    let one = on(1);
    assert_eq!(one, on(4));
    let mut steps = Window::new(settings.clone(), keiko_encoding::EncodingId::Dlshogi57).unwrap();
    for through in 0..=6 {
        steps.advance(&store, through).unwrap();
    }
    assert_eq!(contents(&steps), one);
    let even = window_of(&store, keiko_replay::Settings { surprise_weight: 0.0, ..settings });
    assert_ne!(contents(&even), one);
    assert!((even.evenness().0 - even.rows() as f64).abs() < 1e-6);
    assert!((even.evenness().1 - 1.0).abs() < 1e-9);
}

#[test]
fn the_budget_follows_the_rows() {
    let (_dir, store) = run_of(&[20]);
    let all = WindowSettings::LastRows { min_rows: 100, max_rows: 10_000 };
    let settings = keiko_replay::Settings { window: all, ..settings() };
    let mut window = Window::new(settings, keiko_encoding::EncodingId::Dlshogi57).unwrap();
    assert_eq!(window.allowed_steps(32), 0);
    window.advance(&store, 1).unwrap();
    let rows = window.total_rows();
    assert!(rows >= 100);
    assert_eq!(window.allowed_steps(32), rows * 4 / 32);
    assert_eq!(window.allowed_steps(0), 0);
    assert_eq!(rows, window.rows() + window.held_out_rows());
    for (min_rows, steps) in [(rows, rows * 4 / 32), (rows + 1, 0)] {
        let last = WindowSettings::LastRows { min_rows, max_rows: 10_000 };
        let settings = keiko_replay::Settings { window: last, ..window.settings().clone() };
        assert_eq!(window_of(&store, settings).allowed_steps(32), steps);
    }
}

#[test]
fn a_game_without_rows_is_not_in_the_window() {
    let (_dir, store) = run_of(&[60]);
    let games = (0..60).map(|index| random_game("gen-0000", index, START));
    let has_rows = |game: &keiko_replay::GameRecord| {
        game.plies.iter().any(|ply| ply.search != SearchKind::None)
    };
    let expected = games.filter(has_rows).count();
    let all = WindowSettings::LastRows { min_rows: 1, max_rows: 100_000 };
    let window = window_of(&store, keiko_replay::Settings { window: all, ..settings() });
    assert_eq!(window.games(), expected);
    assert!(expected < 60);
    let empty = Window::new(settings(), window.encoding()).unwrap().evenness();
    assert!(empty.0.abs() < 1e-9 && empty.1.abs() < 1e-9, "{empty:?}");
}

type Change = fn(&mut IngestedShard);

#[test]
fn what_is_not_as_logged_is_refused() {
    let changes: [(&str, Change); 7] = [
        ("hash", |line| line.sha256 = keiko_store::Sha256::of(b"")),
        ("stream", |line| line.stream = "other".to_owned()),
        ("games", |line| line.games += 1),
        ("plies", |line| line.full_plies -= 1),
        ("fast plies", |line| line.fast_plies += 1),
        ("index", |line| line.last_index += 1),
        ("key", |line| line.key = "games/none".to_owned()),
    ];
    for (what, change) in changes {
        let (_dir, store) = run_of(&[3]);
        let log = IngestLog::new(&store);
        let mut entry = log.read(0).unwrap();
        change(&mut entry.shards[0]);
        store.delete("ingest/00000000.toml").unwrap();
        log.append(0, &entry).unwrap();
        let mut window = Window::new(settings(), keiko_encoding::EncodingId::Dlshogi57).unwrap();
        assert!(window.advance(&store, 1).is_err(), "{what}");
    }
}

#[test]
fn a_shard_enters_once() {
    let (_dir, store) = run_of(&[3, 3]);
    let log = IngestLog::new(&store);
    log.append(2, &log.read(0).unwrap()).unwrap();
    let mut window = Window::new(settings(), keiko_encoding::EncodingId::Dlshogi57).unwrap();
    assert!(matches!(window.advance(&store, 3), Err(WindowError::Duplicate { .. })));
}

#[test]
fn the_log_says_what_is_pending_and_takes_no_number_twice() {
    let (_dir, store) = run_of(&[3, 3]);
    let log = IngestLog::new(&store);
    assert!(log.pending().unwrap().is_empty() && !log.is_empty().unwrap());
    let bytes = store.get("games/gen-0001/000000.games").unwrap();
    store.put_new("games/gen-0002/000000.games", &bytes).unwrap();
    assert_eq!(log.pending().unwrap(), ["games/gen-0002/000000.games"]);
    let (line, bad) = IngestedShard::examine(&store, "games/gen-0001/000000.games").unwrap();
    assert_eq!((&line, bad), (&log.read(1).unwrap().shards[0], 0));
    let again = log.append(1, &IngestEntry { shards: vec![line] }).unwrap_err();
    assert!(matches!(again, keiko_replay::IngestError::Log(LogError::Exists { number: 1, .. })));
    store.put_new("ingest/00000002.toml", b"shards = [{}]").unwrap();
    assert!(log.read(2).is_err());
}

#[test]
fn lines_of_the_log_that_cannot_be_are_refused() {
    let changes: [(&str, Change); 4] = [
        ("no games", |line| line.games = 0),
        ("indices", |line| line.first_index = line.last_index + 1),
        ("a hostile stream", |line| line.stream = "../x".to_owned()),
        ("a long stream", |line| line.stream = "x".repeat(65)),
    ];
    let (_dir, store) = run_of(&[1]);
    let log = IngestLog::new(&store);
    let good = log.read(0).unwrap();
    for (number, (what, change)) in (1..).zip(changes) {
        let mut entry = good.clone();
        change(&mut entry.shards[0]);
        log.append(number, &entry).unwrap();
        let error = log.read(number).unwrap_err();
        let key = format!("ingest/{number:08}.toml is damaged");
        assert!(error.to_string().starts_with(&key), "{what}: {error}");
    }
    let empty = run_of(&[]);
    assert!(IngestLog::new(&empty.1).is_empty().unwrap());
}

#[test]
fn bad_games_are_counted_up_to_the_limit() {
    let (_dir, store) = run_of(&[]);
    let mut shard = keiko_replay::ShardWriter::new(crate::support::header("s")).unwrap();
    for index in 0..10 {
        let mut game = crate::support::random_game("s", index, crate::support::START);
        if index % 5 == 0 {
            game.outcome = keiko_shogi::Outcome::BlackWins;
            game.end = keiko_shogi::EndReason::Sennichite;
        }
        shard.push(&game).unwrap();
    }
    let shard = shard.finish().unwrap();
    store.put_new("games/s/0", &shard.bytes).unwrap();
    let (line, bad) = IngestedShard::examine(&store, "games/s/0").unwrap();
    assert_eq!(bad, 2);
    IngestLog::new(&store).append(0, &IngestEntry { shards: vec![line] }).unwrap();
    let tolerant = keiko_replay::Settings { max_bad_games: 2, ..settings() };
    let window = window_of(&store, tolerant);
    assert_eq!(window.bad_games(), 2);
    let strict = keiko_replay::Settings { max_bad_games: 1, ..settings() };
    let mut window = Window::new(strict, window.encoding()).unwrap();
    let error = window.advance(&store, 1).unwrap_err();
    assert!(error.to_string().starts_with("2 games break the rules, 1 are allowed"), "{error}");
}
