//! How much memory a tree of so many positions takes: `cargo run --release -p keiko-bench --example tree_memory
//! [POSITIONS [SEARCHES]]`, 5 million if nothing is said, which needs 4 GB. Linux says how much the process took at most.

#![expect(clippy::print_stdout, reason = "it says what was measured")]

use std::error::Error;
use std::ops::ControlFlow;

use keiko_encoding::{Context, EncodingId};
use keiko_inference::Uniform;
use keiko_mcts::{Noise, RootKind, Search, SearchLimit, SearchSettings};
use keiko_play::{ThinkSettings, think};
use keiko_shogi::{DrawValues, Game, Position, Rules};

/// A middle game with about a hundred moves.
const ROOT: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// What `search.max_nodes` allows for each position, and beside that, in bytes.
const BYTES: (u64, u64) = (800, 1 << 17);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let max_nodes: u32 = arguments.next().map_or(Ok(5_000_000), |text| text.parse())?;
    let searches: u32 = arguments.next().map_or(Ok(3), |text| text.parse())?;
    let settings = SearchSettings {
        root: RootKind::Puct,
        declaration: true,
        reuse_subtree: true,
        max_nodes,
        ..SearchSettings::BARE
    };
    let limit = u64::from(max_nodes) * BYTES.0 + BYTES.1;
    let before = peak_bytes()?;
    println!("limit {limit} bytes; before the first search the process took {before}");
    let mut backend = Uniform::new(EncodingId::Dlshogi119);
    let (position, number) = Position::from_sfen(ROOT)?;
    let game = Game::new(position, number, Rules::STANDARD);
    let mut search = Search::new(game, &settings, DrawValues::HALF, 1);
    let settings = ThinkSettings {
        limit: SearchLimit { simulations: max_nodes + max_nodes / 10, noise: Noise::Off },
        plan: None,
        leaves: 256,
        context: Context { draw_values: DrawValues::HALF },
    };
    for number in 1..=searches {
        let summary = think(&mut search, &mut backend, &settings, |_| ControlFlow::Continue(()))?;
        say(&format!("search {number}"), &search, limit, before)?;
        search.advance(summary.best);
        say(&format!("after {}", summary.best), &search, limit, before)?;
    }
    Ok(())
}

fn say(what: &str, search: &Search, limit: u64, before: u64) -> Result<(), Box<dyn Error>> {
    let (nodes, bytes) = (search.nodes(), search.bytes());
    let peak = peak_bytes()? - before;
    let share = 100.0 * peak as f64 / limit as f64;
    println!(
        "{what}: {nodes} positions, {bytes} bytes; peak so far {peak}, {share:.1} % of the limit"
    );
    Ok(())
}

/// The most memory that the process has had.
fn peak_bytes() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")).ok_or("no VmHWM")?;
    Ok(kib.trim().parse::<u64>()? * 1024)
}
