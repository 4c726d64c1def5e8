//! A list of moves.

use arrayvec::ArrayVec;

use crate::Move;

/// A list of moves on the stack.
///
/// No position with both kings has more than 593 legal moves. Problems without the enemy king may
/// have some more (one with 599 is known). There is room for them, and for one more board of moves:
/// the generator writes whole vectors.
pub type MoveList = ArrayVec<Move, 704>;
