use keiko_shogi::{Move, MoveList};

use super::child::Child;
use super::table::Table;

/// What a solver keeps from one search to the next, so that a search takes no memory of its own.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) table: Table,
    /// The moves of all positions on the way, one position after another.
    pub(super) children: Vec<Child>,
    /// The legal moves of one position.
    pub(super) moves: MoveList,
    /// Answers still to be confirmed, one position after another.
    pub(super) replies: Vec<Move>,
    /// The line being confirmed.
    pub(super) line: Vec<Move>,
    /// The best line confirmed so far.
    pub(super) best: Vec<Move>,
}
