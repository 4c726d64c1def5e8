use keiko_shogi::{Hand, Move};

use super::numbers::Numbers;

/// What the table keeps of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// See [`Place`](super::place::Place).
    pub(super) board: u64,
    /// The way, where the numbers hold only on it; 0 otherwise.
    pub(super) path: u64,
    /// The attacker's hand.
    pub(super) hand: Hand,
    pub(super) numbers: Numbers,
    /// The search that wrote the entry; 0 is none.
    pub(super) search: u32,
    /// Nodes spent on the position.
    pub(super) work: u32,
    /// The move that mates, where the attacker moves and does.
    pub(super) mate: Option<Move>,
}

impl Entry {
    /// An unused entry.
    pub(super) const EMPTY: Self = Self {
        board: 0,
        path: 0,
        hand: Hand::EMPTY,
        numbers: Numbers::open(1, 1),
        search: 0,
        work: 0,
        mate: None,
    };
}
