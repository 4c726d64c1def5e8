//! `keiko bench loader`: how fast files and shards become batches.

mod made;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use keiko_bench::{median, process_time};
use keiko_encoding::{EncodingId, unpack};
use keiko_replay::data::{DataFile, DataSet, Draw, PoolReader, Reading};
use keiko_replay::{Batch, IngestLog, Sampler, Window};
use keiko_shogi::{DrawValues, Rules};
use keiko_store::LocalStore;

use self::made::{FORMS, Made};

/// The encoding of the rows: the 119 planes of dlshogi.
const ENCODING: EncodingId = EncodingId::Dlshogi119;

const BATCH_ROWS: usize = 1024;

/// Games, unless told otherwise.
const GAMES: u16 = 400;

/// Rows that are shuffled together.
const SHUFFLE_ROWS: u64 = 16_384;

/// Arguments of `keiko bench loader`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Random games, the same every time, are written in every form to a folder for temporary files. A row is \
counted when it is in a batch: packed planes, policy, legal moves and value. `unpacked` makes planes of numbers (119 x 81 \
for each row) besides, which nets do on their device. `window` draws batches from shards that were read before. Times are CPU \
time of all threads together, medians of rounds."
)]
pub(super) struct Args {
    /// Games.
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = clap::value_parser!(u16).range(100..))]
    games: u16,
    /// Rounds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What is done with batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Packed,
    Unpacked,
}

/// Measures all forms and prints a table.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let made = Made::new(usize::from(args.games))?;
    let mut forms = Vec::new();
    for form in FORMS {
        let set = set_of(&made.file(form))?;
        let speeds = speeds(args.rounds, |used| files(&set, used))?;
        forms.push((form, speeds));
    }
    let store = LocalStore::open(made.path())?;
    let window = speeds(args.rounds, |used| drawn(&window(&store)?, used))?;
    forms.push(("window", window));
    if args.json {
        let of = |at: usize| -> serde_json::Map<_, _> {
            forms.iter().map(|(name, speeds)| ((*name).to_owned(), speeds[at].into())).collect()
        };
        let answer = serde_json::json!({
            "encoding": ENCODING.name(), "rounds": args.rounds, "rows_per_core_s": of(0),
            "rows_per_core_s_unpacked": of(1),
        });
        writeln!(out, "{answer}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{:<8} {:>16} {:>16}", "", "rows/s a core", "unpacked")?;
    for (name, [packed, unpacked]) in forms {
        writeln!(out, "{name:<8} {packed:>16.0} {unpacked:>16.0}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Rows of hcpe3 in a second of CPU time, packed.
pub(super) fn hcpe3_speed(rounds: u16) -> anyhow::Result<f64> {
    let made = Made::new(GAMES.into())?;
    let set = set_of(&made.file("hcpe3"))?;
    speed(rounds, || files(&set, Use::Packed))
}

/// Rows in a second of CPU time, packed and unpacked.
fn speeds(
    rounds: u16,
    load: impl Fn(Use) -> anyhow::Result<(u64, u64)>,
) -> anyhow::Result<[f64; 2]> {
    let of = |used| speed(rounds, || load(used));
    Ok([of(Use::Packed)?, of(Use::Unpacked)?])
}

/// Rows in a second of CPU time. `load` gives the rows and the nanoseconds that they took.
fn speed(rounds: u16, load: impl Fn() -> anyhow::Result<(u64, u64)>) -> anyhow::Result<f64> {
    let mut speeds = Vec::new();
    for _ in 0..rounds {
        let (rows, nanoseconds) = load()?;
        speeds.push(rows as f64 / (nanoseconds as f64 / 1e9));
    }
    median(speeds).context("no rounds")
}

fn set_of(path: &Path) -> anyhow::Result<DataSet> {
    let reading = Reading {
        encoding: ENCODING,
        rules: Rules::STANDARD,
        draw_values: DrawValues::HALF,
        drop_value_of: Vec::new(),
        centipawns_per_log_odds: keiko_formats::win_rate::CENTIPAWNS_PER_LOG_ODDS,
        max_bad: 0,
    };
    Ok(DataSet::new(vec![DataFile::open(path, None)?], reading))
}

/// Reads files to their end.
fn files(set: &DataSet, used: Use) -> anyhow::Result<(u64, u64)> {
    let draw = Draw {
        seed: 1,
        batch_rows: BATCH_ROWS,
        shuffle_rows: SHUFFLE_ROWS,
        mirror: true,
        epochs: Some(1),
        encoding: ENCODING,
    };
    let start = process_time();
    let mut reader = PoolReader::new(set, draw, None)?;
    let mut rows = 0;
    while let Some(pool) = reader.next_pool()? {
        for number in 0..pool.batches() {
            rows += take(&pool.batch(number, 0.5).0, used);
        }
    }
    Ok((rows, process_time() - start))
}

/// Draws batches from a window.
fn drawn(window: &Window, used: Use) -> anyhow::Result<(u64, u64)> {
    let sampler = Sampler::new(1, BATCH_ROWS);
    let start = process_time();
    let mut rows = 0;
    for step in 0..window.rows() / BATCH_ROWS as u64 {
        rows += take(&Batch::new(window, &sampler.rows(window, step)?, 0.5), used);
    }
    Ok((rows, process_time() - start))
}

fn window(store: &LocalStore) -> anyhow::Result<Window> {
    let mut window = Window::new(made::settings(), ENCODING)?;
    window.advance(store, IngestLog::new(store).len()?)?;
    Ok(window)
}

/// Uses a batch; how many rows it has.
fn take(batch: &Batch, used: Use) -> u64 {
    if used == Use::Unpacked {
        let mut planes = vec![0.0; ENCODING.planes() * 81];
        for row in batch.rows.rows() {
            unpack(ENCODING, row.as_slice().unwrap_or_default(), &mut planes);
            std::hint::black_box(&planes);
        }
    }
    std::hint::black_box(batch).len() as u64
}
