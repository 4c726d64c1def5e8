//! Asks all sides in turn and prints how they compare.
//!
//! `compare [--json] SIDE=COMMAND..`, ours first.

use std::process::ExitCode;

use keiko_bench::{SEARCHES, WORKS, Work};
use keiko_peers::side::{Answer, Side};

/// Rounds; work that takes seconds is done in fewer.
const ROUNDS: usize = 7;
const LARGE_ROUNDS: usize = 3;

/// Figures that are asked for: the work, and whose time ours is compared with.
const RATIOS: [(&str, &str); 8] = [
    ("perft_start_d6_bulk", "rsshogi"),
    ("perft_start_d5_full", "rsshogi"),
    ("perft_matsuri_d4_bulk", "rsshogi"),
    ("generate", "rsshogi"),
    ("make_unmake", "rsshogi"),
    ("playout_ply", "rsshogi"),
    ("mate_in_one", "rsshogi"),
    ("planes_packed", "cshogi"),
];

/// Searches, whose figures are our time over that of the fastest other side.
const SEARCH_RATIOS: [(&str, &str); 2] =
    [("search_n16", "lockstep_plain_n16"), ("search_n200", "lockstep_plain_n200")];

/// Sides whose results are known to differ where they are wrong, which is shown and no error.
const LENIENT: [&str; 2] = ["haitaka", "python-shogi"];

/// A work and the median times of the sides that know it, in nanoseconds a unit.
struct Row {
    work: &'static Work,
    /// In the order of the sides; whether the result was ours.
    times: Vec<Option<(f64, bool)>>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (flags, sides): (Vec<_>, Vec<_>) = arguments.iter().partition(|a| a.starts_with("--"));
    let json = flags.iter().any(|flag| *flag == "--json");
    let mut sides: Vec<Side> = sides.iter().map(|text| Side::start(text)).collect();
    let mut rows = Vec::new();
    let is_asked = |work: &&Work| SEARCH_RATIOS.iter().any(|(_, name)| *name == work.name);
    for work in WORKS.iter().chain(SEARCHES.iter().filter(is_asked)) {
        match row(work, &mut sides) {
            Ok(row) => rows.push(row),
            Err(message) => {
                eprintln!("compare: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    if json {
        let figures = RATIOS.map(|(name, side)| (name, ratio(&rows, &sides, (name, side))));
        let searches = SEARCH_RATIOS.map(|(key, name)| (key, search_ratio(&rows, name)));
        let figure = |(key, ratio): &(&str, f64)| format!("\"{key}\": {ratio:.3}");
        let all: Vec<String> = figures.iter().chain(&searches).map(figure).collect();
        println!("{{\"ratios\": {{{}}}}}", all.join(", "));
    } else {
        println!("CPU time of a unit in ns, and in brackets how many times as long as ours.");
        println!("* the result differs from ours");
        let (core, searches) = rows.split_at(WORKS.len());
        print_table(core, &sides);
        print_table(searches, &sides);
    }
    ExitCode::SUCCESS
}

/// Does a work on all sides that know it, in an order that turns with each round.
fn row(work: &'static Work, sides: &mut [Side]) -> Result<Row, String> {
    let rounds = if work.is_large { LARGE_ROUNDS } else { ROUNDS };
    let mut times = vec![Vec::new(); sides.len()];
    let mut same = vec![true; sides.len()];
    // Every search finds moves of its own.
    let is_search = SEARCHES.iter().any(|search| search.name == work.name);
    for round in 0..rounds {
        for turn in 0..sides.len() {
            let index = (round + turn) % sides.len();
            let side = &mut sides[index];
            let Some(Answer { result, ns_per_unit }) = side.ask(work.name) else { continue };
            times[index].push(ns_per_unit);
            if is_search && index > 0 {
                continue;
            }
            if result.is_some_and(|result| result != work.result) {
                same[index] = false;
                if !LENIENT.contains(&side.name()) {
                    let (name, expected) = (side.name(), work.result);
                    return Err(format!("{name}: {} gave {result:?}, not {expected}", work.name));
                }
            }
        }
    }
    let median = |(mut times, same): (Vec<f64>, bool)| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).map(|&time| (time, same))
    };
    Ok(Row { work, times: times.into_iter().zip(same).map(median).collect() })
}

/// How many times as fast we are in perft, and how much of the other's time we take elsewhere.
fn ratio(rows: &[Row], sides: &[Side], (name, other): (&str, &str)) -> f64 {
    let row = rows.iter().find(|row| row.work.name == name);
    let index = sides.iter().position(|side| side.name() == other);
    let times = row.zip(index).and_then(|(row, index)| row.times[0].zip(row.times[index]));
    times.map_or(
        f64::NAN,
        |((ours, _), (theirs, _))| {
            if name.starts_with("perft") { theirs / ours } else { ours / theirs }
        },
    )
}

/// How much of the time of the fastest other side a search takes us.
fn search_ratio(rows: &[Row], name: &str) -> f64 {
    let times = rows.iter().find(|row| row.work.name == name).map(|row| &row.times);
    let time = |side: &Option<(f64, bool)>| side.map_or(f64::NAN, |(time, _)| time);
    times.map_or(f64::NAN, |times| {
        time(&times[0]) / times[1..].iter().map(time).fold(f64::NAN, f64::min)
    })
}

/// Prints the rows, with the sides that know any of them.
fn print_table(rows: &[Row], sides: &[Side]) {
    let knows = |index: &usize| rows.iter().any(|row| row.times[*index].is_some());
    let shown: Vec<usize> = (0..sides.len()).filter(knows).collect();
    print!("{:<26}{:<11}", "", "unit");
    for &index in &shown {
        print!("{:>20}", sides[index].name());
    }
    println!();
    for row in rows {
        print!("{:<26}{:<11}", row.work.name, row.work.unit);
        let ours = row.times[0].map_or(f64::NAN, |(time, _)| time);
        for &index in &shown {
            match row.times[index] {
                Some((time, _)) if index == 0 => print!("{time:>20.2}"),
                Some((time, same)) => {
                    let mark = if same { "" } else { "*" };
                    print!("{:>20}", format!("{mark}{time:.1} ({:.2})", time / ours));
                }
                None => print!("{:>20}", "-"),
            }
        }
        println!();
    }
}
