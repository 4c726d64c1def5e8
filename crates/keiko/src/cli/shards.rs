//! `keiko shards`: what is in the games of a run, and giving them to other programs.

mod export;
mod files;
mod relabel;
mod show;
mod stats;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// What to do with shards.
#[derive(Debug, clap::Subcommand)]
#[command(
    after_help = "A PATH is a shard (.games), a folder of shards, or a run's folder, which has its games in games/.\n\n\
Examples:\n  keiko shards stats data/runs/demo\n  keiko shards verify data/runs/demo\n  \
keiko shards show data/runs/demo/games/000001/000000.games --game 0\n  \
keiko shards export data/runs/demo --to hcpe3 --out demo.hcpe3"
)]
pub(super) enum Command {
    /// Count games, plies, ends and targets.
    Stats(stats::Args),
    /// Read every byte: checksums, and every game by the rules.
    Verify(verify::Args),
    /// Print a game with what its searches saw.
    Show(show::Args),
    /// Write games as the training data of other programs.
    Export(export::Args),
    /// Let a model search stored games anew, into new shards.
    Relabel(relabel::Args),
}

/// Does what was asked for.
pub(super) fn run(command: &Command, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match command {
        Command::Stats(args) => stats::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Export(args) => export::run(args, out),
        Command::Relabel(args) => relabel::run(args, out),
    }
}

/// Where shards are.
#[derive(Debug, clap::Args)]
struct Paths {
    /// Shards, folders of shards, or runs.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}
