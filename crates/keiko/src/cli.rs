//! The command line: one subcommand a file.

mod bench;
mod clean;
mod convert;
mod doctor;
mod export;
mod gauntlet;
mod learn;
mod matches;
mod model;
mod openings;
mod output;
mod plan;
mod report;
mod shards;
mod stage;
mod status;
mod stop;
mod train;
mod weighed;

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::message::message;
use crate::rules_tools;
use crate::spinning;

/// Trains shogi engines from zero by self-play.
#[derive(Debug, Parser)]
#[command(name = "keiko", version, about, long_about = LONG, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const LONG: &str = "Trains shogi engines from zero by self-play: games -> replay shards -> training -> gate \
-> champion -> ONNX for USI play.\n\nStart with `keiko train --config configs/demo.toml --run data/runs/demo`.\n\
Results go to standard output, everything else to standard error. The exit code is 0 only when what was \
asked was done.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the whole loop: self-play, training, gate, champion, generation after generation.
    Train(train::Args),
    /// Play the games of the run's next generation, if that is what the run waits for.
    Selfplay(stage::Args),
    /// Train on a run's newest games and leave a candidate, or learn from files of games and positions.
    Learn(learn::Args),
    /// Judge the run's oldest waiting candidate against the champion.
    Gate(stage::Args),
    /// Play a net against another, a reference player or a USI engine.
    Match(matches::Args),
    /// Rate many engines together: nets, reference players and USI engines.
    Gauntlet(gauntlet::Args),
    /// Make a list of openings for matches.
    #[command(subcommand)]
    Openings(openings::Command),
    /// Write a model of a run as ONNX, with the files engines want beside it.
    Export(export::Args),
    /// Check whether the programs that play can use a model, from its bytes to its speed.
    Doctor(doctor::Args),
    /// Look into the games of runs, and give them to other programs.
    #[command(subcommand)]
    Shards(shards::Command),
    /// Measure this machine: evaluations a second, games and gigabytes a day, the best batch.
    Plan(plan::Args),
    /// Say in one screen how a run is, also while it runs.
    Status(status::Args),
    /// Delete what a run does not need any more: games behind the window, models that were rejected.
    Clean(clean::Args),
    /// Write a page that shows how a run goes, and a picture of it.
    Report(report::Args),
    /// Search fixed positions; the node count and hash change only when behaviour does.
    Bench(bench::Args),
    Perft(rules_tools::PerftArgs),
    Legal(rules_tools::LegalArgs),
    Judge(rules_tools::JudgeArgs),
    /// Convert records of games between CSA, KIF, USI lines and SFEN lists.
    Convert(convert::Args),
    Mate(rules_tools::MateArgs),
}

/// The exit code where the reader of standard output went away, which shells give to what SIGPIPE ended.
const CLOSED_PIPE: u8 = 141;

/// Runs the program and turns its result into an exit code: 0 done, 1 not done, 2 wrong usage.
#[inline(never)]
pub(crate) fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::from(CLOSED_PIPE),
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    if matches!(command, Command::Train(_) | Command::Learn(_)) {
        spinning::keep_short();
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut input = std::io::stdin().lock();
    let code = match command {
        Command::Train(args) => train::run(&args, &mut out)?,
        Command::Selfplay(args) => stage::run(stage::Command::Selfplay, &args)?,
        Command::Learn(args) => learn::run(&args, &mut out)?,
        Command::Gate(args) => stage::run(stage::Command::Gate, &args)?,
        Command::Match(args) => matches::run(&args, &mut out)?,
        Command::Gauntlet(args) => gauntlet::run(&args, &mut out)?,
        Command::Openings(command) => openings::run(&command, &mut out)?,
        Command::Export(args) => export::run(&args, &mut out)?,
        Command::Doctor(args) => doctor::run(&args, &mut out)?,
        Command::Shards(command) => shards::run(&command, &mut out)?,
        Command::Plan(args) => plan::run(&args, &mut out)?,
        Command::Status(args) => status::run(&args, &mut out)?,
        Command::Clean(args) => clean::run(&args, &mut out)?,
        Command::Report(args) => report::run(&args, &mut out)?,
        Command::Bench(args) => bench::run(&args, &mut input, &mut out)?,
        Command::Perft(args) => rules_tools::perft(&args, &mut input, &mut out)?,
        Command::Legal(args) => rules_tools::legal(&args, &mut input, &mut out)?,
        Command::Judge(args) => rules_tools::judge(&args, &mut input, &mut out)?,
        Command::Convert(args) => convert::run(&args, &mut input, &mut out)?,
        Command::Mate(args) => rules_tools::mate(&args, &mut input, &mut out)?,
    };
    out.flush()?;
    Ok(code)
}

/// Whether the reader of our output went away, as `| head` does: answers are lost, which nobody needs to be told.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

fn complain(error: &anyhow::Error) {
    // Where nobody reads it, the exit code says it.
    let _ = writeln!(std::io::stderr(), "keiko: {}", message(error));
}
