//! How many positions a second are made: `cargo run --release -p keiko-formats --example decoding`.
//!
//! One core; the positions of 100 random games, as pieces, as SFEN text and in both packings of 32 bytes.

#![expect(clippy::print_stdout, reason = "it says what was measured")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use keiko_formats::packed::Packing;
use keiko_shogi::{MoveList, Position, Setup};

/// The best of this many rounds counts.
const ROUNDS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let positions = positions();
    let setups: Vec<Setup> = positions.iter().map(Setup::from).collect();
    report("pieces", &positions, &setups, |setup| setup.position().ok())?;
    let texts: Vec<String> = positions.iter().map(|position| position.to_sfen(1)).collect();
    report("sfen", &positions, &texts, |text| Some(Position::from_sfen(text).ok()?.0))?;
    for (name, packing) in [("hcp", Packing::Hcp), ("psfen", Packing::PackedSfen)] {
        let packed: Result<Vec<_>, _> = positions.iter().map(|it| packing.encode(it)).collect();
        report(name, &positions, &packed?, |bytes| packing.decode(bytes).ok())?;
    }
    Ok(())
}

fn positions() -> Vec<Position> {
    let mut state = 1_u64;
    let mut below = |count: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % count
    };
    let mut positions = Vec::new();
    for _ in 0..100 {
        let mut position = Position::startpos();
        for _ in 0..150 {
            positions.push(position.clone());
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[below(moves.len())]);
        }
    }
    positions
}

fn report<T>(
    name: &str,
    positions: &[Position],
    encoded: &[T],
    decode: impl Fn(&T) -> Option<Position>,
) -> Result<(), Box<dyn Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for bytes in encoded {
            black_box(decode(black_box(bytes)));
        }
        best = best.min(started.elapsed().as_secs_f64());
    }
    if !encoded
        .iter()
        .zip(positions)
        .all(|(bytes, position)| decode(bytes).as_ref() == Some(position))
    {
        return Err(format!("{name}: other positions came back").into());
    }
    println!("{name}: {:.0} positions a second", positions.len() as f64 / best);
    Ok(())
}
