//! `keiko clean`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::run::{Cleaning, Run};

/// Arguments of `keiko clean`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Keeps every game that the window of any kept checkpoint reaches, the games of the two newest entries, every \
model that was a champion and those of the newest candidates; checkpoints older than trainer.keep_checkpoints go while \
training. What was learnt from the games, verdicts and figures stay. The run may be running, also while it waits for room.\n\n\
Example: keiko clean data/runs/demo --dry-run"
)]
pub(super) struct Args {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Delete nothing, only say what would be freed.
    #[arg(long)]
    dry_run: bool,
    /// Newest candidates whose models stay, rejected or not.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    keep: u16,
}

/// Cleans, and says what was freed.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let run = Run::look(&args.run)?;
    let cleaning = Cleaning::of(&run, usize::from(args.keep))?;
    if !args.dry_run {
        cleaning.perform(&run)?;
    }
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let (shards, models) = (Cleaning::bytes(&cleaning.shards), Cleaning::bytes(&cleaning.models));
    let verb = if args.dry_run { "would free" } else { "freed" };
    writeln!(
        out,
        "{verb} {}: {} shards of games behind the window ({}), {} files of rejected models ({})",
        megabytes(shards + models),
        cleaning.shards.len(),
        megabytes(shards),
        cleaning.models.len(),
        megabytes(models)
    )?;
    Ok(ExitCode::SUCCESS)
}
