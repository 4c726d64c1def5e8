//! One stage of a run by itself: `keiko selfplay`, `keiko learn`, `keiko gate`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::stop;
use crate::pipeline::{self, Ended, Pipeline, Stage};
use crate::progress::Console;
use crate::run::{Process, Role, Run};
use crate::stopping;

/// Arguments of a stage's command.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A run goes round self-play, learning and the gate; `keiko train --resume` does the same \
in one process. If the run waits for another stage, this says which one and does nothing (exit code 1).\n\n\
With pipeline.mode = \"async\" it goes on until the run is complete, beside the other stages: one process learns, one \
judges, as many as you like play games, all in one folder."
)]
pub(super) struct Args {
    /// The run's folder, made by `keiko train`.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
}

impl Args {
    /// Of the run in `dir`.
    pub(super) fn of(dir: &Path) -> Self {
        Self { run: dir.to_owned() }
    }
}

/// Which command was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `keiko selfplay`.
    Selfplay,
    /// `keiko learn`.
    Learn,
    /// `keiko gate`.
    Gate,
}

impl Command {
    fn of(stage: Stage) -> Option<(Self, u32)> {
        match stage {
            Stage::Selfplay { generation } => Some((Self::Selfplay, generation)),
            Stage::Learn { generation } => Some((Self::Learn, generation)),
            Stage::Gate { generation } => Some((Self::Gate, generation)),
            Stage::Done => None,
        }
    }

    fn role(self) -> Role {
        match self {
            Self::Selfplay => Role::Selfplay,
            Self::Learn => Role::Learner,
            Self::Gate => Role::Gate,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::Learn => "learn",
            Self::Gate => "gate",
        }
    }
}

/// Does the stage if the run waits for it.
pub(super) fn run(command: Command, args: &Args) -> anyhow::Result<ExitCode> {
    let console = Console::new();
    let flag = stop::on_signal(console)?;
    let process = Process { command: command.name(), console, stop: Arc::clone(&flag) };
    if Run::look(&args.run)?.config().pipeline.is_async() {
        return attend(command.role(), &args.run, &process);
    }
    let run = Run::open(&args.run, None, &process)?;
    let pipeline = Pipeline::new(&run, console, &flag)?;
    let stage = pipeline.next()?;
    match Command::of(stage) {
        Some((wanted, _)) if wanted == command => {
            let ended = pipeline.run_stage(stage)?;
            Ok(if ended == Ended::Complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Some((wanted, generation)) => {
            let name = wanted.name();
            console.line(&format!("generation {generation} waits for `keiko {name}`"));
            Ok(ExitCode::FAILURE)
        }
        None => {
            console.line("all generations are done");
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Goes on with one role of a run until the run is complete or a stop is asked for.
fn attend(role: Role, dir: &Path, process: &Process) -> anyhow::Result<ExitCode> {
    stopping::will_wait_for(pipeline::parting(role));
    let run = Run::join(dir, role, process)?;
    let ended = Pipeline::new(&run, process.console, &process.stop)?.attend(role)?;
    let (code, said) = match ended {
        Ended::Complete => (ExitCode::SUCCESS, "all generations are done"),
        Ended::Stopped => (ExitCode::FAILURE, "stopped; the same command goes on"),
    };
    process.console.line(said);
    Ok(code)
}
