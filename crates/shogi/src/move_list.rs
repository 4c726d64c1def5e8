//! A list of moves.

use arrayvec::ArrayVec;

use crate::Move;

/// A list of moves on the stack. No position has more than 593 legal moves.
pub type MoveList = ArrayVec<Move, 600>;
