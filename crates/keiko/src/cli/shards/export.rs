use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use keiko_formats::GameLine;
use keiko_formats::training::{MAX_PLIES, PositionFormat};
use keiko_replay::{GameRecord, is_held_out};
use keiko_shogi::Position;

use super::super::output::Output;
use super::Paths;

/// Arguments of `keiko shards export`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "hcpe3: games with the policy of every full search, its shares as visits that sum to 65,535 \
(dlshogi). hcpe: the positions of full searches with value, best move and result (Apery, dlshogi). psv: the same for \
YaneuraOu. usi: a game a line, without searches, which `keiko convert` turns into CSA and KIF. Games that break the \
rules are left out, and from hcpe3 those of more than 513 plies, which it cannot hold."
)]
pub(in super::super) struct Args {
    #[command(flatten)]
    paths: Paths,
    /// The format.
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// Which games: all, or those that a run trained on or held out.
    #[arg(long, value_name = "PART", default_value_t = Part::All, value_enum)]
    part: Part,
    /// The run's replay.held_out_modulus, which tells the two parts: one game in so many was held out.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    held_out_modulus: u64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that is there already.
    #[arg(long)]
    force: bool,
}

/// A format to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Hcpe3,
    Hcpe,
    Psv,
    Usi,
}

/// Which games are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    All,
    Training,
    HeldOut,
}

impl Args {
    /// Whether a game is to be exported.
    fn wants(&self, game: &GameRecord) -> bool {
        let (stream, index) = game.origin();
        let held_out = || is_held_out(stream, index, self.held_out_modulus);
        match self.part {
            Part::All => true,
            Part::Training => !held_out(),
            Part::HeldOut => held_out(),
        }
    }
}

/// Writes game by game.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let output = Output::at(&args.out)?;
    output.check_free(args.force)?;
    let own = args.out.canonicalize().ok();
    if own.is_some() && args.paths.shards()?.iter().any(|path| path.canonicalize().ok() == own) {
        bail!("{} is one of the shards that are read: name another file", args.out.display());
    }
    let mut writing = output.begin()?;
    let (mut games, mut positions, mut left_out) = (0_u64, 0_u64, 0_u64);
    let mut bytes = Vec::new();
    args.paths.read(|path, _, game| {
        let Ok(game) = game else {
            left_out += 1;
            return Ok(());
        };
        if !args.wants(&game) {
            return Ok(());
        }
        if args.to == Format::Hcpe3 && game.plies.len() > MAX_PLIES {
            left_out += 1;
            return Ok(());
        }
        bytes.clear();
        let place = || format!("{}: game {}", path.display(), game.index);
        positions += append(&game, args.to, &mut bytes).with_context(place)?;
        games += 1;
        writing.write(&bytes)
    })?;
    if games == 0 {
        bail!("there is no game to export: {left_out} were left out");
    }
    writing.finish()?;
    if !output.is_stream() {
        writeln!(
            out,
            "{}: {games} games, {positions} positions with a target, {left_out} games left out",
            args.out.display()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Appends a game; how many positions with a target that are.
fn append(game: &GameRecord, format: Format, out: &mut Vec<u8>) -> anyhow::Result<u64> {
    let positions = match format {
        Format::Hcpe3 => {
            let game = game.to_searched_game()?;
            game.write(out)?;
            game.plies.iter().filter(|ply| !ply.candidates.is_empty()).count()
        }
        Format::Hcpe | Format::Psv => {
            let format = match format {
                Format::Psv => PositionFormat::Psv,
                _ => PositionFormat::Hcpe,
            };
            let positions = game.to_positions()?;
            for position in &positions {
                format.write(position, out)?;
            }
            positions.len()
        }
        Format::Usi => {
            let (start, number) = Position::from_sfen(&game.start)?;
            let moves = game.plies.iter().map(|ply| ply.mv).collect();
            let mut line = GameLine::new(start, number, moves);
            line.add_tag("outcome", game.outcome.name())?;
            line.add_tag("reason", &game.end.to_string())?;
            out.extend_from_slice(format!("{line}\n").as_bytes());
            0
        }
    };
    Ok(positions as u64)
}
