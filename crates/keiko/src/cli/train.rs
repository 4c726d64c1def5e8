//! `keiko train`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::stop;
use crate::config::RunConfig;
use crate::pipeline::{self, Ended, Pipeline};
use crate::progress::Console;
use crate::run::{Process, Run, Source};

/// Arguments of `keiko train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: keiko train --config configs/demo.toml --run data/runs/demo\n\n\
Ctrl-C (or SIGTERM) finishes cleanly; the same command with --resume goes on. A killed run loses no \
published game, checkpoint or verdict. With pipeline.mode = \"async\" in the config all stages go on at once, and \
`keiko selfplay`, `keiko learn` and `keiko gate` may take part as processes of their own. The last lines sum up the run and name the champion's ONNX.")]
pub(super) struct Args {
    /// Settings of the run; with --resume, what may change is taken from here.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The run's folder.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Go on with the run that is in the folder.
    #[arg(long)]
    resume: bool,
    /// Branch off from a model of another run: RUN or RUN@MODEL (its champion, or the first characters of a sha256). The
    /// first generation learns from that run's window; the same net begins with that model's weights, another one is first
    /// trained on all of it.
    #[arg(long, value_name = "RUN@MODEL", conflicts_with = "resume")]
    from: Option<String>,
}

/// Runs the loop to its end, and sums it up.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let console = Console::new();
    let flag = stop::on_signal(console)?;
    let process = Process { command: "train", console, stop: Arc::clone(&flag) };
    let (config, text) = RunConfig::read(&args.config)?;
    let run = if args.resume {
        Run::open(&args.run, Some((config, text)), &process)?
    } else {
        let from = args.from.as_deref().map(Source::parse).transpose()?;
        Run::create(&args.run, config, &text, from.as_ref(), &process)?
    };
    let pipeline = Pipeline::new(&run, console, &flag)?;
    console.line(&format!("run {}: {}", run.dir().display(), pipeline.describe()));
    let ended = match run.config().pipeline.is_async() {
        true => pipeline::together(run.dir(), &process)?,
        false => pipeline.run_all()?,
    };
    pipeline.renew_page();
    write!(out, "{}", pipeline.summary()?)?;
    if ended == Ended::Stopped {
        console.line("stopped; go on with --resume");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
