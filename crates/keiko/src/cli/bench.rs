//! `keiko bench`: a checksum of how positions are searched; `keiko bench core`: the speed of the core; `keiko bench
//! search`: what search costs beside the evaluations; `keiko bench train`: training beside PyTorch; `keiko bench loader`:
//! how fast files and shards become batches; `keiko bench device`: what a GPU computes, and how fast.

mod device;
mod loader;
mod net;
mod other;
mod search;
mod speed;
mod train;

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use keiko_encoding::{Context, EncodingId};
use keiko_inference::Hashed;
use keiko_mcts::{Noise, RootKind, Search, SearchLimit, SearchSettings};
use keiko_play::{ThinkSettings, think};
use keiko_shogi::{DrawValues, Game, Position, Rules, SfenError};
use keiko_store::Sha256;

pub(super) use net::first_positions;

/// The positions, one SFEN a line.
pub(super) const POSITIONS: &str = include_str!("../../../../data/bench/positions.sfen");

/// Arguments of `keiko bench`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every position is searched with a Gumbel and with a PUCT root over pseudo-random evaluations. \
`nodes` and `hash` depend on nothing but the program: another number means that the search behaves differently.",
    args_conflicts_with_subcommands = true
)]
pub(super) struct Args {
    #[command(subcommand)]
    part: Option<Part>,
    /// Simulations of each search.
    #[arg(long, value_name = "N", default_value_t = 400)]
    simulations: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Time fixed work of the core, whose results are checked.
    Core(speed::Args),
    /// Check and measure what a device computes.
    Device(device::Args),
    /// Measure how fast files and shards become batches.
    Loader(loader::Args),
    /// Measure what search costs beside the evaluations it asks for.
    Search(search::Args),
    /// Measure training and raw evaluation beside PyTorch.
    Train(train::Args),
}

/// Does what was asked for and prints what came out.
pub(super) fn run(
    args: &Args,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    match &args.part {
        Some(Part::Core(args)) => speed::run(args, out),
        Some(Part::Device(args)) => device::run(args, out),
        Some(Part::Loader(args)) => loader::run(args, out),
        Some(Part::Search(args)) => search::run(args, input, out),
        Some(Part::Train(args)) => train::run(args, out),
        None => checksum(args, out),
    }
}

fn checksum(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut backend = Hashed::new(EncodingId::Dlshogi119, 1);
    let started = Instant::now();
    let (mut nodes, mut evaluations, mut positions) = (0, 0, 0);
    let mut found = Vec::new();
    for game in games() {
        let game = game?;
        positions += 1;
        for root in [RootKind::Gumbel, RootKind::Puct] {
            let mut search = Search::new(game.clone(), &settings(root), DrawValues::HALF, 1);
            let settings = ThinkSettings {
                limit: SearchLimit { simulations: args.simulations, noise: Noise::On },
                plan: None,
                leaves: 16,
                context: Context { draw_values: DrawValues::HALF },
            };
            let mut made = 0;
            let summary = think(&mut search, &mut backend, &settings, |thinking| {
                made = thinking.evaluations();
                ControlFlow::Continue(())
            })?;
            evaluations += made;
            nodes += search.nodes();
            for m in &summary.moves {
                found.extend_from_slice(&m.mv.to_bits().to_le_bytes());
                found.extend_from_slice(&m.visits.to_le_bytes());
            }
            found.extend_from_slice(&summary.best.to_bits().to_le_bytes());
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let hash = Sha256::of(&found).to_string();
    let hash = &hash[..16];
    let speed = evaluations as f64 / seconds;
    if args.json {
        let answer = serde_json::json!({
            "positions": positions, "nodes": nodes, "evaluations": evaluations, "hash": hash,
            "seconds": seconds,
        });
        writeln!(out, "{answer}")?;
    } else {
        writeln!(
            out,
            "positions {positions}\nnodes {nodes}\nevaluations {evaluations}\nhash {hash}"
        )?;
        writeln!(out, "time {seconds:.2} s, {speed:.0} evaluations/s")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The positions as games that start there.
fn games() -> impl Iterator<Item = Result<Game, SfenError>> + Clone {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|sfen| {
        let (position, number) = Position::from_sfen(sfen)?;
        Ok(Game::new(position, number, Rules::STANDARD))
    })
}

fn settings(root: RootKind) -> SearchSettings {
    SearchSettings {
        root,
        mate_in_one: true,
        declaration: true,
        reuse_subtree: true,
        ..SearchSettings::BARE
    }
}
