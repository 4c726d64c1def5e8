//! `keiko bench core`: how fast rules and planes are.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context as _;
use keiko_bench::{Inputs, Timing, WORKS, Work, time};

/// Arguments of `keiko bench core`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Times are CPU time of the thread, medians of rounds in which every work is done once. \
Work that gives another result than it must is an error. `perft_*` count nodes: `bulk` takes the last ply from the \
list of moves, `full` plays it. Work that takes seconds is done only if it is named."
)]
pub(super) struct Args {
    /// What to time: names, or how they begin. [default: all that is quick]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Rounds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Times the work and prints a table.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let works = chosen(&args.names)?;
    let timings = time(&works, usize::from(args.rounds), &mut Inputs::new())?;
    if args.json {
        let benches: serde_json::Map<_, _> = timings.iter().map(entry).collect();
        let answer = serde_json::json!({ "rounds": args.rounds, "benches": benches });
        writeln!(out, "{answer}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{:<26} {:>12} {:>12} {:>14}", "", "median ns", "least ns", "per second")?;
    for Timing { work, median_ns, least_ns } in timings {
        let speed = 1e9 / median_ns;
        let name = work.name;
        let unit = work.unit;
        writeln!(out, "{name:<26} {median_ns:>12.2} {least_ns:>12.2} {speed:>14.0} {unit}s")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn entry(timing: &Timing) -> (String, serde_json::Value) {
    let Timing { work, median_ns, least_ns } = *timing;
    let value = serde_json::json!({
        "unit": work.unit, "median_ns": median_ns, "least_ns": least_ns, "result": work.result,
    });
    (work.name.to_owned(), value)
}

/// The work that the names stand for, each once, in the order of the list.
fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Work>> {
    for name in names {
        let known: Vec<&str> = WORKS.iter().map(|work| work.name).collect();
        known.iter().find(|known| known.starts_with(name.as_str())).with_context(|| {
            format!("nothing to time is named {name:?} (known: {})", known.join(", "))
        })?;
    }
    let exact = |work: &Work| names.iter().any(|name| name == work.name);
    let begun = |work: &Work| {
        names.is_empty() || names.iter().any(|name| work.name.starts_with(name.as_str()))
    };
    Ok(WORKS.iter().filter(|work| exact(work) || (!work.is_large && begun(work))).collect())
}
