//! `keiko bench device`: whether a device computes what it should, and how fast it does.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use keiko_model::Architecture;
use keiko_network::{Device, Precision};
use serde::Serialize;

use super::net::{NETS, demo};
use super::train::{Evaluation, Training, Work, start_peer};

/// Arguments of `keiko bench device`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "First what must be so: the device is there, a net learns on it as on the processor, and its answers are those of \
the processor, in fp32 and in bf16. Then rows a second in evaluation and in training in bf16, of every net in every batch; \
with --python beside PyTorch on the same device, each after the other. What does not fit the device's memory is left out.\n\n\
Example: keiko bench device --device cuda --python python3"
)]
pub(super) struct Args {
    /// The device: cpu, cuda or cuda:N.
    #[arg(long, value_name = "DEVICE", default_value = "cuda")]
    device: Device,
    /// Nets, as blocks and channels.
    #[arg(long, value_name = "NET", value_delimiter = ',', default_value = "10x128,15x192,20x256", value_parser = size)]
    nets: Vec<(u32, u32)>,
    /// Rows of a batch.
    #[arg(long, value_name = "ROWS", value_delimiter = ',', default_value = "256,1024,4096",
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    batches: Vec<u32>,
    /// Seconds for each rate.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    seconds: f64,
    /// A Python with PyTorch 2.11, to compare with.
    #[arg(long, value_name = "PYTHON")]
    python: Option<String>,
    /// Its program.
    #[arg(long, value_name = "FILE", default_value = "tests/peers/torch_peer.py")]
    program: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('x').and_then(|(b, c)| Some((b.parse().ok()?, c.parse().ok()?)));
    numbers
        .filter(|&(blocks, channels)| (1..=100).contains(&blocks) && (1..=1024).contains(&channels))
        .ok_or_else(|| "not blocks x channels, such as 10x128".to_owned())
}

/// Steps of the net that must learn.
const STEPS: usize = 100;
/// The loss after them, as a share of that before, must be below this on every device.
const LEARNT: f64 = 0.9;
/// Rows that two devices answer.
const ROWS: usize = 256;
/// How far the expected score of a row may be from that of the processor: fp32 and bf16.
const APART: [f32; 2] = [2e-3, 0.05];

/// A rate, and PyTorch's.
#[derive(Debug, Serialize)]
struct Rate {
    work: &'static str,
    net: String,
    rows: usize,
    rows_per_second: f64,
    pytorch: Option<f64>,
}

/// What was found before anything was timed.
#[derive(Debug, Serialize)]
struct Checks {
    loss_before: f64,
    loss_after: f64,
    loss_after_on_cpu: f64,
    fp32_apart: f32,
    bf16_apart: f32,
}

/// Checks and measures.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    args.device.open()?;
    let checks = check(args.device)?;
    if !args.json {
        writeln!(out, "device {}: {checks}", args.device)?;
        writeln!(
            out,
            "{:<10} {:>8} {:>6} {:>11} {:>11} {:>6}",
            "rows a second", "net", "batch", "ours", "PyTorch", "ratio"
        )?;
    }
    let mut rates = Vec::new();
    for name in ["infer", "train"] {
        for &(blocks, channels) in &args.nets {
            for &rows in &args.batches {
                let work = work(args.device, (blocks, channels), rows as usize)?;
                // What the device has no memory for cannot be timed; other faults were found before.
                let Ok(rate) = rate(args, name, &work) else { continue };
                if !args.json {
                    writeln!(out, "{rate}")?;
                    out.flush()?;
                }
                rates.push(rate);
            }
        }
    }
    if args.json {
        let answer = serde_json::json!({ "device": args.device.to_string(), "checks": checks, "rates": rates });
        writeln!(out, "{answer}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn work(device: Device, (blocks, channels): (u32, u32), rows: usize) -> anyhow::Result<Work> {
    let architecture = Architecture { blocks, channels, ..demo()?.network };
    // By the clock on a GPU, and with what the demonstration trains with on the processor.
    let threads = if device == Device::Cpu { demo()?.trainer.threads } else { 0 };
    Ok(Work { architecture, device, precision: Precision::Bf16, rows, threads })
}

fn check(device: Device) -> anyhow::Result<Checks> {
    let small = (NETS[0].blocks, NETS[0].channels);
    let learn = |device| -> anyhow::Result<(f64, f64)> {
        let mut training = Training::new(&work(device, small, ROWS)?)?;
        let losses = (0..STEPS).map(|_| training.step()).collect::<anyhow::Result<Vec<f64>>>()?;
        Ok((losses[0], losses[STEPS - 1]))
    };
    let (loss_before, loss_after) = learn(device)?;
    let (_, loss_after_on_cpu) = learn(Device::Cpu)?;
    ensure!(
        loss_after < LEARNT * loss_before,
        "{device} does not learn: the loss is {loss_before} at first and {loss_after} after {STEPS} steps"
    );
    ensure!(
        (loss_after - loss_after_on_cpu).abs() < (1.0 - LEARNT) * loss_before,
        "{device} learns otherwise than the processor: {loss_after} and {loss_after_on_cpu} after {STEPS} steps"
    );
    let answer = |device, precision| {
        let work = Work { precision, ..work(device, small, ROWS)? };
        Evaluation::new(&work)?.answer()
    };
    let (_, wanted) = answer(Device::Cpu, Precision::Fp32)?;
    let apart = |precision| -> anyhow::Result<f32> {
        let (_, found) = answer(device, precision)?;
        let pairs = wanted.iter().zip(&found);
        Ok(pairs.map(|(a, b)| (a.score(0.5) - b.score(0.5)).abs()).fold(0.0, f32::max))
    };
    let [fp32_apart, bf16_apart] = [apart(Precision::Fp32)?, apart(Precision::Bf16)?];
    for (found, limit, name) in [(fp32_apart, APART[0], "fp32"), (bf16_apart, APART[1], "bf16")] {
        ensure!(
            found <= limit,
            "{device} in {name} expects scores {found} apart from the processor's"
        );
    }
    Ok(Checks { loss_before, loss_after, loss_after_on_cpu, fp32_apart, bf16_apart })
}

fn rate(args: &Args, name: &'static str, work: &Work) -> anyhow::Result<Rate> {
    let span = Duration::from_secs_f64(args.seconds.clamp(0.0, 600.0));
    let warm = |rate: &mut dyn FnMut(Duration) -> anyhow::Result<f64>| -> anyhow::Result<f64> {
        rate(span / 4)?;
        rate(span)
    };
    let rows_per_second = match name {
        "infer" => {
            let mut ours = Evaluation::new(work)?;
            warm(&mut |span| ours.rate(span))?
        }
        _ => {
            let mut ours = Training::new(work)?;
            warm(&mut |span| ours.rate(span))?
        }
    };
    let pytorch = args.python.as_deref().map(|python| -> anyhow::Result<f64> {
        let mut peer = start_peer((python, &args.program), name, work, span)?;
        peer.go()?;
        peer.rate()
    });
    let pytorch = pytorch.transpose().context("PyTorch")?;
    let net = format!("{}x{}", work.architecture.blocks, work.architecture.channels);
    Ok(Rate { work: name, net, rows: work.rows, rows_per_second, pytorch })
}

impl std::fmt::Display for Checks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { loss_before, loss_after, loss_after_on_cpu, fp32_apart, bf16_apart } = self;
        write!(
            f,
            "the loss falls from {loss_before:.3} to {loss_after:.3} ({loss_after_on_cpu:.3} on the processor); scores \
             {fp32_apart:.5} apart from the processor's in fp32, {bf16_apart:.4} in bf16"
        )
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { work, net, rows, rows_per_second, pytorch } = self;
        write!(f, "{work:<13} {net:>8} {rows:>6} {rows_per_second:>11.0}")?;
        match pytorch {
            Some(theirs) => write!(f, " {theirs:>11.0} {:>6.2}", rows_per_second / theirs),
            None => write!(f, " {:>11} {:>6}", "-", "-"),
        }
    }
}
