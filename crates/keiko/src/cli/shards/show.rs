use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use keiko_replay::{GameRecord, PlyRecord, SearchKind, ShardReader, StoredWdl};

/// Arguments of `keiko shards show`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A line for each ply: the move, the search's win rate for the side to move beside the net's own, \
visits, and the moves of the policy. A win rate counts a draw as one half."
)]
pub(in super::super) struct Args {
    /// The shard.
    #[arg(value_name = "FILE")]
    shard: PathBuf,
    /// The game's place in the shard, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    game: usize,
    /// The most moves of a policy that are shown.
    #[arg(long, value_name = "N", default_value_t = 4)]
    moves: usize,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let place = || args.shard.display().to_string();
    if args.shard.is_dir() {
        bail!("{} is a folder: name one shard, a file *.games in or below it", place());
    }
    let bytes = std::fs::read(&args.shard).with_context(place)?;
    let shard = ShardReader::open(&bytes).with_context(place)?;
    let games = shard.read_all().with_context(place)?;
    let Some(game) = games.get(args.game) else {
        bail!("{} has {} games: --game is from 0", args.shard.display(), games.len());
    };
    let game = match game {
        Ok(game) => game,
        Err(error) => bail!("{}: game {} breaks the rules: {error}", place(), args.game),
    };
    show(game, args.moves, out)?;
    Ok(ExitCode::SUCCESS)
}

fn show(game: &GameRecord, most: usize, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "game {} of {}, seed {}", game.index, game.stream, game.seed)?;
    writeln!(out, "models {}, reading {}", game.models.join(", "), game.encoding)?;
    writeln!(out, "start  {}", game.start)?;
    writeln!(
        out,
        "result {} by {} after {} plies\n",
        game.outcome,
        game.end.name(),
        game.plies.len()
    )?;
    writeln!(
        out,
        "{:>4}  {:<6} {:>8} {:>8} {:>7}  policy",
        "ply", "move", "search", "net", "visits"
    )?;
    for (number, ply) in (1..).zip(&game.plies) {
        writeln!(out, "{}", line(number, ply, most))?;
    }
    Ok(())
}

fn line(number: usize, ply: &PlyRecord, most: usize) -> String {
    let rate = |wdl: &StoredWdl| {
        let [win, draw, _] = wdl.shares();
        format!("{:.1} %", 100.0 * (win + 0.5 * draw))
    };
    if ply.search == SearchKind::None {
        return format!("{number:>4}  {}", ply.mv);
    }
    let mut policy = ply.policy.pairs().to_vec();
    policy.sort_by_key(|&(_, units)| std::cmp::Reverse(units));
    let moves = policy.iter().take(most);
    let moves = moves.map(|(mv, units)| format!("{mv} {:.0} %", f64::from(*units) / 655.35));
    let fast = if ply.search == SearchKind::Fast { " (fast)" } else { "" };
    let text = format!(
        "{number:>4}  {:<6} {:>8} {:>8} {:>7}  {}{fast}",
        ply.mv.to_string(),
        rate(&ply.root_wdl),
        rate(&ply.raw_wdl),
        ply.root_visits,
        moves.collect::<Vec<_>>().join(", "),
    );
    text.trim_end().to_owned()
}
