//! Positions and moves of rsshogi, of which two sides are made.

use keiko_bench::RandomGame;
use rsshogi::board::{Move32List, Position, generate_legal_all_move32, position_from_sfen};
use rsshogi::types::Move32;

use crate::START;

/// The position of an SFEN.
///
/// # Panics
/// If it is none.
pub fn position(sfen: &str) -> Position {
    let mut position = position_from_sfen(sfen).expect("the positions are right");
    position.init_stack();
    position
}

/// The legal moves.
pub fn moves(position: &Position) -> Vec<Move32> {
    let mut list = Move32List::new();
    generate_legal_all_move32(position, &mut list);
    list.as_slice().to_vec()
}

/// The moves of a random game as they are here.
///
/// # Panics
/// If one is not legal.
pub fn game(random: &RandomGame) -> Vec<Move32> {
    let mut position = position(START);
    let mut played = Vec::new();
    for ours in &random.moves {
        let legal = moves(&position);
        let same = |mv: &&Move32| mv.to_move().to_apery().raw() == ours.to_bits();
        let mv = *legal.iter().find(same).expect("a legal move");
        position.apply_move32(mv);
        played.push(mv);
    }
    played
}
