//! `keiko status`.

mod state;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use state::State;

/// Arguments of `keiko status`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Only looks; the run may be running. Exit code 0: all is well, or the run is done; 1: something wants \
attention; 2: the run stands still or cannot be read. The room left counts what was written in the last hour.\n\n\
Example: keiko status data/runs/demo"
)]
pub(super) struct Args {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum Health {
    /// Nothing to do.
    Fine,
    /// Something wants attention.
    Attention,
    /// It stands still.
    Broken,
}

/// Prints how the run is.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    // What cannot be read is broken, which is another exit code than that of a failed command.
    let state = match State::of(&args.run) {
        Ok(state) => state,
        Err(error) => {
            super::complain(&error);
            return Ok(ExitCode::from(2));
        }
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&state)?)?;
    } else {
        write!(out, "{}", text::of(&state))?;
    }
    Ok(match state.health {
        Health::Fine => ExitCode::SUCCESS,
        Health::Attention => ExitCode::from(1),
        Health::Broken => ExitCode::from(2),
    })
}
