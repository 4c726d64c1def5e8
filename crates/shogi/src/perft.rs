//! Counting the leaves of the tree of legal moves, the usual test of a move generator.

use crate::{Move, MoveList, Position};

/// Number of sequences of `depth` legal moves; the last ply is counted without being played.
/// Repetition is ignored.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => sum(position, depth, perft),
    }
}

/// As [`perft`], but every move of the last ply is played and taken back: slower, and a test of
/// these too.
pub fn perft_full(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => sum(position, depth, perft_full),
    }
}

fn sum(position: &mut Position, depth: u32, count: fn(&mut Position, u32) -> u64) -> u64 {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut leaves = 0;
    for &mv in &moves {
        let undo = position.do_move(mv);
        leaves += count(position, depth - 1);
        position.undo_move(mv, undo);
    }
    leaves
}

/// The leaves below each legal move, in the order of generation; empty for depth 0.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let undo = position.do_move(mv);
            let leaves = perft(position, depth - 1);
            position.undo_move(mv, undo);
            (mv, leaves)
        })
        .collect()
}
