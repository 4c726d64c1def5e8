//! `keiko bench train`: training and raw evaluation beside PyTorch.

mod ours;
mod peer;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use keiko_bench::median;

use super::loader;
use super::net::{NETS, Net, demo};
use keiko_network::{Device, Precision};
pub(super) use ours::{Evaluation, Training, Work};
pub(super) use peer::start as start_peer;

/// Arguments of `keiko bench train`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The same net, batch and precision in both: the demonstration's batches with its smallest net in training, \
batches of 64 in evaluation on one thread. Rates of one thread are of its CPU time, of two by the clock on the wall; \
ratios are medians of rounds in which everything is done once. The other side gets its planes ready-made as bf16, channels \
last; ours unpacks its own. `loader` is how many rows of hcpe3 a core loads in a second, as in `keiko bench loader`. \
`scripts/bench-train` gets PyTorch and calls this."
)]
pub(super) struct Args {
    /// The other side: a Python with PyTorch 2.11.
    #[arg(long, value_name = "PYTHON")]
    python: String,
    /// Its program.
    #[arg(long, value_name = "FILE", default_value = "tests/peers/torch_peer.py")]
    program: String,
    /// Rounds.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How long each does its work in a round.
const SPAN: Duration = Duration::from_millis(2000);

/// Rows of a batch in evaluation.
const EVALUATED_ROWS: usize = 64;

/// Threads in training.
const CORES: [usize; 2] = [1, 2];

/// What was measured: rates of ours and theirs in each round.
struct Figure {
    name: String,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

impl Figure {
    fn new(name: String) -> Self {
        Self { name, ours: Vec::new(), theirs: Vec::new() }
    }

    fn ratio(&self) -> anyhow::Result<f64> {
        let ratios = self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs);
        median(ratios.collect()).context("no rounds")
    }
}

/// Measures everything, which takes some minutes.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let rounds = usize::from(args.rounds);
    // Before there are threads of LibTorch, whose time would count.
    let loader = loader::hcpe3_speed(args.rounds)?;
    let mut figures = Vec::new();
    for compile in [false, true] {
        for threads in CORES {
            figures.push(training(args, threads, compile, rounds)?);
        }
    }
    for net in &NETS {
        figures.push(evaluation(args, net, rounds)?);
    }
    if args.json {
        writeln!(out, "{}", json(&figures, loader)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{:<28} {:>10} {:>10} {:>7}", "rows a second", "ours", "PyTorch", "ratio")?;
    for figure in &figures {
        let rate = |rates: &[f64]| median(rates.to_vec()).context("no rounds");
        let (ours, theirs) = (rate(&figure.ours)?, rate(&figure.theirs)?);
        let (name, ratio) = (&figure.name, figure.ratio()?);
        writeln!(out, "{name:<28} {ours:>10.0} {theirs:>10.0} {ratio:>7.3}")?;
    }
    writeln!(out, "{:<28} {loader:>10.0}", "loader")?;
    Ok(ExitCode::SUCCESS)
}

/// The demonstration's work with a net on the processor.
fn work(net: &Net, rows: usize, threads: usize) -> anyhow::Result<Work> {
    let architecture = net.architecture()?;
    Ok(Work { architecture, device: Device::Cpu, precision: Precision::Auto, rows, threads })
}

fn training(args: &Args, threads: usize, compile: bool, rounds: usize) -> anyhow::Result<Figure> {
    let rows = demo()?.trainer.batch_rows;
    let work = work(&NETS[0], rows, threads)?;
    let mut ours = Training::new(&work)?;
    ours.rate(Duration::ZERO)?;
    let name = if compile { "train-compiled" } else { "train" };
    let mut theirs = start_peer((&args.python, &args.program), name, &work, SPAN)?;
    let mut figure = Figure::new(format!("{name} {} cores{threads}", NETS[0].name));
    for _ in 0..rounds {
        figure.ours.push(ours.rate(SPAN)?);
        theirs.go()?;
        figure.theirs.push(theirs.rate()?);
    }
    Ok(figure)
}

fn evaluation(args: &Args, net: &Net, rounds: usize) -> anyhow::Result<Figure> {
    let work = work(net, EVALUATED_ROWS, 1)?;
    let mut ours = Evaluation::new(&work)?;
    ours.rate(Duration::ZERO)?;
    let mut theirs = start_peer((&args.python, &args.program), "infer", &work, SPAN)?;
    let mut figure = Figure::new(format!("infer {}", net.name));
    for _ in 0..rounds {
        figure.ours.push(ours.rate(SPAN)?);
        theirs.go()?;
        figure.theirs.push(theirs.rate()?);
    }
    Ok(figure)
}

fn json(figures: &[Figure], loader: f64) -> anyhow::Result<serde_json::Value> {
    let ratios: Vec<f64> = figures.iter().map(Figure::ratio).collect::<Result<_, _>>()?;
    let [eager1, eager2, compiled1, compiled2, small, large] = ratios[..] else {
        anyhow::bail!("six figures are measured")
    };
    Ok(serde_json::json!({
        "train_over_eager": { "cores1": eager1, "cores2": eager2 },
        "train_over_compiled": { "cores1": compiled1, "cores2": compiled2 },
        "infer_over_pytorch": { NETS[0].name: small, NETS[1].name: large },
        "loader_rows_per_core_s": loader,
    }))
}
