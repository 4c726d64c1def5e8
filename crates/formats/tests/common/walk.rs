//! Random walks from the start position.

use keiko_shogi::{Move, MoveList, Position};
use proptest::sample::Index;

/// Plays a legal move for each choice while there is one; `visit` sees each move before it is made. Where it ends.
pub(crate) fn walk(choices: &[Index], mut visit: impl FnMut(&Position, Move)) -> Position {
    let mut position = Position::startpos();
    for choice in choices {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[choice.index(moves.len())];
        visit(&position, mv);
        position.do_move(mv);
    }
    position
}
