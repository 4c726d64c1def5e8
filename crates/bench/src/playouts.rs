//! Playing games to their end.

use std::hint::black_box;

use keiko_shogi::{Game, MoveList, Rules};

use crate::{Done, Inputs};

/// Plays the random games again: at every ply lists the moves, asks for repetition over the whole
/// history, and plays the next move.
pub(crate) fn play(inputs: &mut Inputs) -> Done {
    let mut list = MoveList::new();
    let (mut result, mut units) = (0, 0);
    for playout in &inputs.playouts {
        let mut game = Game::startpos(Rules::STANDARD);
        for &mv in &playout.moves {
            list.clear();
            game.legal_moves(&mut list);
            if list.is_empty() || game.repetition().verdict.is_some() {
                break;
            }
            result += black_box(&list).len() as u64;
            game.play(mv);
        }
        units += u64::from(game.ply());
    }
    Done { result, units }
}
