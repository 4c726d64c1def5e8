//! `keiko learn`: training on a run's newest games, or on files.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use keiko_replay::data::DataKind;

use super::{stage, stop};
use crate::config::RunConfig;
use crate::progress::Console;
use crate::run::{Process, Run};
use crate::study::{self, Asked};

/// Arguments of `keiko learn`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --data this is a stage of a run that `keiko train` made: it trains on the newest games, if \
that is what the run waits for (else exit code 1).\n\n\
With --data it makes a run that learns from files alone, which may be larger than the memory: hcpe and psv (the move is \
learnt, and the result mixed with the score by replay.search_value), hcpe3 (the visits), CSA, KIF and USI game lines (the \
moves, and the result by the rules; games that the clock, a crash or a foul decided are left out and counted). The files \
are read --epochs times (1 if nothing is said) or until --steps steps are taken. Killed or stopped, the same command with \
--resume goes on exactly; the files may have been moved meanwhile. The newest net becomes the run's champion, for `keiko \
export`.\n\n\
Example: keiko learn --config configs/demo.toml --run data/runs/taught --data train.hcpe3 --held-out test.hcpe3"
)]
pub(super) struct Args {
    /// The run's folder.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Files to learn from.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Settings of the run; with --resume, what may change is taken from here.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Files that are only measured on.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "data")]
    held_out: Vec<PathBuf>,
    /// What files hold whose extension does not tell: hcpe, hcpe3, psv, csa, kif, usi.
    #[arg(long, value_name = "FORMAT", requires = "data")]
    from: Option<DataKind>,
    /// Times that all files are read.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "steps")]
    epochs: Option<u32>,
    /// Steps after which it ends, however often the files are read for them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Go on with the run that is in the folder.
    #[arg(long)]
    resume: bool,
}

/// Learns.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if args.data.is_empty() && !args.resume {
        if args.config.is_some() || args.epochs.is_some() || args.steps.is_some() {
            bail!(
                "--config, --epochs and --steps are for learning from files: name them with --data"
            );
        }
        return stage::run(stage::Command::Learn, &stage::Args::of(&args.run));
    }
    let console = Console::new();
    let flag = stop::on_signal(console)?;
    let process = Process { command: "learn", console, stop: Arc::clone(&flag) };
    let config = args.config.as_ref().map(|path| RunConfig::read(path)).transpose()?;
    let asked = Asked {
        data: &args.data,
        held_out: &args.held_out,
        kind: args.from,
        epochs: args.epochs,
        steps: args.steps,
    };
    // Before anything is made: what cannot be read is said first.
    let files = study::open_files(&asked, &console)?;
    let run = if args.resume {
        Run::open(&args.run, config, &process)?
    } else {
        let (config, text) = config.context("learning from files needs --config")?;
        Run::create(&args.run, config, &text, None, &process)?
    };
    study::learn(&run, files, &asked, study::Watched { console, stop: &flag, out })
}
