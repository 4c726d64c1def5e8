//! `keiko openings`.

use std::io::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow, bail};
use keiko_arena::openings::{self, MakeCounts, MakeError, MakeSettings};
use keiko_formats::Opening;
use keiko_inference::{Backend, Context};
use keiko_mcts::{Noise, RootKind, RootSummary, Search, SearchLimit, SearchSettings};
use keiko_network::{Device, Precision};
use keiko_play::{PlayError, ThinkSettings, think};
use keiko_shogi::{Color, DrawValues, Game, Rules};

use super::model::Model;
use super::output::Output;
use super::stop;
use crate::config::InferenceSection;
use crate::progress::Console;

/// What to do with openings.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Write quiet, balanced openings, none of them another's mirror image.
    Make(Make),
}

/// Arguments of `keiko openings make`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Moves are drawn from the net's policy, or, without a net, at random among those that capture nothing. Only \
positions with even material where nobody can win something at once are kept, and of those the ones that the net's search, or games of the \
greedy reference player against itself, find balanced. The same arguments give the same list.\n\n\
Example:\n  keiko openings make --count 2000 --model models/ayumi --out data/openings.sfen"
)]
pub(super) struct Make {
    /// Openings wanted.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The list: a line `sfen ..` each.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that is there already.
    #[arg(long)]
    force: bool,
    /// Moves of an opening.
    #[arg(long, value_name = "MIN-MAX", default_value = "8-24")]
    plies: String,
    /// The net that moves and judges: an ONNX file, or a model's folder.
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Simulations of the search that judges; without a net, games of the greedy player.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    nodes: u32,
    /// How far Black's expected score may be from one half.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    max_bias: f64,
    /// Another number gives other openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

const EVEN: DrawValues = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };

const SEARCH: SearchSettings = SearchSettings {
    root: RootKind::Puct,
    mate_in_one: true,
    root_mate_nodes: 1000,
    declaration: true,
    ..SearchSettings::BARE
};

/// Does what is asked for.
pub(super) fn run(command: &Command, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let Command::Make(args) = command;
    let console = Console::new();
    let output = Output::at(&args.out)?;
    output.check_free(args.force)?;
    if !(0.0..=0.5).contains(&args.max_bias) {
        bail!("--max-bias must be from 0 to 0.5");
    }
    let settings = MakeSettings {
        count: args.count as usize,
        plies: plies(&args.plies)?,
        max_bias: args.max_bias,
        seed: args.seed,
    };
    let stop = stop::on_signal_saying(console, "nothing is written")?;
    let mut display = console.stage("openings", u64::from(args.count));
    let mut last = MakeCounts::default();
    let watch = |counts: &MakeCounts| {
        if counts.found > last.found {
            display.update(counts.found as u64, "found");
        }
        last = *counts;
        go_on(&stop)
    };
    let made = match &args.model {
        Some(path) => by_model(args, path, &settings, (&*stop, watch))?,
        None => openings::make(
            &settings,
            Rules { max_plies: Some(512), ..Rules::STANDARD },
            |game, rng| Ok::<_, PlayError>(openings::random_quiet_move(game, rng)),
            |game, rng| {
                Ok(openings::greedy_score(game, args.nodes, rng, || go_on(&stop).is_continue()))
            },
            watch,
        ),
    };
    let games = match made {
        Ok(games) => games,
        Err(MakeError::Interrupted) => {
            console.line("stopped: nothing was written");
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(error.into()),
    };
    let lines: Vec<Opening> = games.iter().map(opening).collect();
    let text = Opening::write_all(&lines);
    output.write(text.as_bytes())?;
    let MakeCounts { not_quiet, repeated, unbalanced, .. } = last;
    let how = format!(
        "{} openings; left out: {not_quiet} not quiet, {repeated} repeated or mirrored, {unbalanced} unbalanced",
        games.len()
    );
    display.finish(&how);
    if !output.is_stream() {
        writeln!(out, "{}: {how}", args.out.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn go_on(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The net moves by its policy and judges by its search.
fn by_model(
    args: &Make,
    path: &std::path::Path,
    settings: &MakeSettings,
    (stop, watch): (&AtomicBool, impl FnMut(&MakeCounts) -> ControlFlow<()>),
) -> anyhow::Result<Result<Vec<Game>, MakeError<PlayError>>> {
    let inference =
        InferenceSection { device: Device::Cpu.into(), precision: Precision::Fp32, threads: 1 };
    let model =
        Model::read(path, &inference).with_context(|| format!("--model {}", path.display()))?;
    let backend = std::cell::RefCell::new(model.open()?);
    let search = |game: &Game, simulations: u32| -> Result<RootSummary, PlayError> {
        let mut tree = Search::new(game.clone(), &SEARCH, EVEN, 0);
        let settings = ThinkSettings {
            limit: SearchLimit { simulations, noise: Noise::Off },
            plan: None,
            leaves: 8,
            context: Context { draw_values: EVEN },
        };
        let backend: &mut Box<dyn Backend> = &mut backend.borrow_mut();
        think(&mut tree, backend, &settings, |_| go_on(stop))
    };
    Ok(openings::make(
        settings,
        Rules { max_plies: Some(512), ..Rules::STANDARD },
        |game, rng| {
            let moves = search(game, 1)?.moves;
            let total: f64 = moves.iter().map(|it| f64::from(it.prior)).sum();
            let mut left = openings::share(rng) * total;
            let drawn = moves.iter().find(|it| {
                left -= f64::from(it.prior);
                left < 0.0
            });
            // Rounding may leave a little over: the last move.
            Ok(drawn.or(moves.last()).expect("a game that goes on has a move").mv)
        },
        |game, _| {
            let score = f64::from(search(game, args.nodes)?.score);
            let is_black = game.position().side_to_move() == Color::Black;
            Ok(if is_black { score } else { 1.0 - score })
        },
        watch,
    ))
}

/// The position that an opening leads to, as a line of its own.
fn opening(game: &Game) -> Opening {
    let move_number = game.start_move_number().saturating_add(game.ply());
    Opening { line: 0, start: game.position().clone(), move_number, moves: Vec::new() }
}

fn plies(text: &str) -> anyhow::Result<RangeInclusive<u32>> {
    let wanted = || anyhow!("--plies {text}: two numbers from 1 to 100 are wanted, as in 8-24");
    let (least, most) = text.split_once('-').ok_or_else(wanted)?;
    let [least, most] = [least, most].map(|word| word.trim().parse::<u32>().map_err(|_| wanted()));
    let (least, most) = (least?, most?);
    if 1 <= least && least <= most && most <= 100 { Ok(least..=most) } else { Err(wanted()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_a_range() {
        assert_eq!(plies("8-24").unwrap(), 8..=24);
        assert_eq!(plies("6 - 6").unwrap(), 6..=6);
        for bad in ["", "8", "0-4", "9-8", "8-101", "a-b"] {
            assert!(plies(bad).unwrap_err().to_string().contains("as in 8-24"), "{bad}");
        }
    }
}
