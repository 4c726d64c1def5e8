//! Processes that do nothing but evaluate.

use std::io::{BufRead, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::ValueEnum as _;
use keiko_inference::Backend as _;

use super::super::net::{NETS, demo, first_positions};
use super::super::other::Other;
use super::play;

/// How long evaluations are counted.
pub(super) const SPAN: Duration = Duration::from_millis(400);

/// What computes the net.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Runtime {
    /// LibTorch, with the batches of self-play.
    Torch,
    /// ONNX Runtime, with the batches of the engine.
    Onnx,
}

/// Evaluates for a while whenever a line comes, and answers with the evaluations a second.
pub(super) fn serve(
    runtime: Runtime,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let net = &NETS[0];
    let (mut backend, rows) = match runtime {
        Runtime::Torch => (net.torch()?.open()?, demo()?.selfplay.batch_shape),
        Runtime::Onnx => (net.onnx()?.open()?, play::rows()),
    };
    let mut batch = first_positions(&*backend, rows);
    batch = backend.evaluate(batch)?.into_request();
    let mut line = String::new();
    loop {
        writeln!(out, "ready")?;
        out.flush()?;
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let (start, mut evaluations) = (Instant::now(), 0);
        while start.elapsed() < SPAN {
            batch = backend.evaluate(batch)?.into_request();
            evaluations += rows;
        }
        writeln!(out, "{}", evaluations as f64 / start.elapsed().as_secs_f64())?;
    }
}

/// Some processes that only evaluate; they end with this.
pub(super) struct Evaluators(Vec<Other>);

impl Evaluators {
    pub(super) fn start(runtime: Runtime, count: usize) -> anyhow::Result<Self> {
        let mut evaluators = Self(Vec::new());
        let runtime = runtime.to_possible_value().context("a runtime has a name")?;
        for _ in 0..count {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["bench", "search", "--only-evaluate", runtime.get_name()]);
            evaluators.0.push(Other::start(&mut command)?);
        }
        for evaluator in &mut evaluators.0 {
            evaluator.line()?;
        }
        Ok(evaluators)
    }

    /// Evaluations a second of the first `count` processes together.
    pub(super) fn rate(&mut self, count: usize) -> anyhow::Result<f64> {
        for evaluator in &mut self.0[..count] {
            evaluator.go()?;
        }
        let mut rate = 0.0;
        for evaluator in &mut self.0[..count] {
            rate += evaluator.rate()?;
            evaluator.line()?;
        }
        Ok(rate)
    }
}
