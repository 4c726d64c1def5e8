//! Generating, making and taking back moves.

use std::hint::black_box;

use keiko_shogi::MoveList;

use crate::{Done, Inputs};

/// How often the positions are gone through.
const TIMES: u64 = 20;

/// Lists the legal moves of every position.
pub(crate) fn generate(inputs: &mut Inputs) -> Done {
    let mut moves = MoveList::new();
    let mut result = 0;
    for _ in 0..TIMES {
        result = 0;
        for position in &inputs.positions {
            moves.clear();
            position.legal_moves(&mut moves);
            result += black_box(&moves).len() as u64;
        }
    }
    Done { result, units: TIMES * inputs.positions.len() as u64 }
}

/// Plays and takes back every legal move of every position.
pub(crate) fn make_unmake(inputs: &mut Inputs) -> Done {
    let (mut result, mut units) = (0, 0);
    for (position, moves) in inputs.positions.iter_mut().zip(&inputs.moves) {
        for &mv in moves {
            let undo = position.do_move(mv);
            result += u64::from(black_box(&*position).in_check());
            position.undo_move(mv, undo);
        }
        units += moves.len() as u64;
    }
    Done { result, units }
}
