//! `keiko bench search`: what search costs beside the evaluations it asks for.

mod metered;
mod play;
mod raw;
mod scaling;
mod selfplay;

use std::io::{BufRead, Write};
use std::process::ExitCode;

use keiko_bench::{Budget, Inputs, SEARCHES, Timing, time};

use super::net::{NETS, Net};
use crate::progress::Console;
use raw::Runtime;

/// Arguments of `keiko bench search`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "lockstep: CPU time of a simulation without a net, over results that are checked. Over raw: evaluations \
a CPU second in self-play (LibTorch, as configs/demo.toml plays) and in one game's search (ONNX Runtime), as shares of what \
the same backend makes of full batches of the same size in between. Scaling over raw: what two workers make more than one, \
as a share of what two processes that only evaluate make more than one, by the clock on the wall: keep the machine free."
)]
pub(super) struct Args {
    /// Rounds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Only evaluate, whenever a line comes: the other processes of the scaling.
    #[arg(long, hide = true, value_enum)]
    only_evaluate: Option<Runtime>,
}

/// Measures everything, which takes about two minutes.
pub(super) fn run(
    args: &Args,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    if let Some(runtime) = args.only_evaluate {
        raw::serve(runtime, input, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let rounds = usize::from(args.rounds);
    let mut inputs = Inputs::new();
    let console = Console::new();
    let now = |what: &str| console.line(&format!("bench search: {what}"));
    now("searches in lockstep without a net; all takes some minutes");
    let works: Vec<_> = SEARCHES.iter().filter(|work| work.name.starts_with(LOCKSTEP)).collect();
    let lockstep = time(&works, rounds, &mut inputs)?;
    let budget = Budget::measure(&inputs, rounds);
    now("self-play with nets");
    let selfplay = each_net(selfplay::over_raw)?;
    now("one game's search with nets");
    let play = each_net(play::over_raw)?;
    now("self-play with a second worker");
    let selfplay_scaling = scaling::selfplay(rounds)?;
    now("one game's search with a second evaluator");
    let figures =
        Figures { selfplay, play, selfplay_scaling, play_scaling: scaling::play(rounds)? };
    if args.json {
        writeln!(out, "{}", json(&lockstep, &figures))?;
    } else {
        table(&lockstep, &budget, &figures, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the names of the works in lockstep begin with.
const LOCKSTEP: &str = "lockstep_";

/// What was measured with nets.
struct Figures {
    selfplay: Vec<(&'static str, f64)>,
    play: Vec<(&'static str, f64)>,
    selfplay_scaling: f64,
    play_scaling: f64,
}

fn each_net(
    measure: impl Fn(&Net) -> anyhow::Result<f64>,
) -> anyhow::Result<Vec<(&'static str, f64)>> {
    NETS.iter().map(|net| Ok((net.name, measure(net)?))).collect()
}

fn json(lockstep: &[Timing], figures: &Figures) -> serde_json::Value {
    let by_net = |shares: &[(&str, f64)]| -> serde_json::Map<String, serde_json::Value> {
        shares.iter().map(|&(name, share)| (name.to_owned(), share.into())).collect()
    };
    let lockstep: serde_json::Map<String, serde_json::Value> = lockstep
        .iter()
        .map(|timing| (short(timing).to_owned(), (timing.median_ns / 1000.0).into()))
        .collect();
    serde_json::json!({
        "lockstep_us": lockstep,
        "selfplay_over_raw": by_net(&figures.selfplay),
        "play_over_raw": by_net(&figures.play),
        "selfplay_scaling_over_raw": figures.selfplay_scaling,
        "play_scaling_over_raw": figures.play_scaling,
    })
}

fn short(timing: &Timing) -> &'static str {
    timing.work.name.trim_start_matches(LOCKSTEP)
}

fn table(
    lockstep: &[Timing],
    budget: &Budget,
    figures: &Figures,
    out: &mut impl Write,
) -> std::io::Result<()> {
    writeln!(out, "lockstep, microseconds a simulation")?;
    for timing in lockstep {
        writeln!(out, "  {:<24} {:>6.2}", short(timing), timing.median_ns / 1000.0)?;
    }
    writeln!(out, "its parts, each measured alone")?;
    let &Budget { generation, make, planes, select, expand, backup } = budget;
    for (name, part) in [
        ("generation", generation),
        ("make", make),
        ("planes", planes),
        ("select", select),
        ("expand", expand),
        ("backup", backup),
    ] {
        writeln!(out, "  {name:<24} {:>6.2}", part / 1000.0)?;
    }
    writeln!(out, "evaluations, as a share of the backend's own rate")?;
    for (name, share) in &figures.selfplay {
        writeln!(out, "  self-play {name:<14} {share:>6.3}")?;
    }
    for (name, share) in &figures.play {
        writeln!(out, "  play {name:<19} {share:>6.3}")?;
    }
    writeln!(out, "gain of a second worker, as a share of a second process'")?;
    writeln!(out, "  self-play                {:>6.3}", figures.selfplay_scaling)?;
    writeln!(out, "  play                     {:>6.3}", figures.play_scaling)
}
