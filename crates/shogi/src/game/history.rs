//! The positions of a game.

use crate::{IllegalKind, Position, Undo};

/// No record.
const NONE: u32 = u32::MAX;
/// Number of chains, a power of two.
const CHAINS: usize = 1024;

/// One position of a game and what led to it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    key: u64,
    undo: Undo,
    /// The last earlier record of the same chain.
    chain: u32,
    /// The last earlier record with the same position.
    previous: u32,
    /// How often the position has occurred by now, this time included.
    pub(super) occurrences: u32,
    /// How many moves in a row, up to the one that led here, their side gave check with.
    pub(super) checks: u32,
    foul: Option<IllegalKind>,
}

impl Record {
    /// Index of the last earlier occurrence of the same position.
    pub(super) fn previous(&self) -> Option<usize> {
        (self.previous != NONE).then_some(self.previous as usize)
    }

    /// The foul that led here.
    pub(super) const fn foul(&self) -> Option<IllegalKind> {
        self.foul
    }
}

/// All positions of a game from its start on; the index of a record is its ply.
///
/// Records are chained by key, so that finding an earlier occurrence takes the same short time
/// however long the game is.
#[derive(Clone, Debug)]
pub(super) struct History {
    records: Vec<Record>,
    /// The last record of each chain.
    heads: Vec<u32>,
    fouls: u32,
}

impl History {
    pub(super) fn new(start: &Position) -> History {
        let mut history =
            History { records: Vec::with_capacity(512), heads: vec![NONE; CHAINS], fouls: 0 };
        history.push(start, Undo::START, None);
        history.records[0].checks = 0;
        history
    }

    /// Whether a foul was played.
    #[inline]
    pub(super) const fn has_foul(&self) -> bool {
        self.fouls > 0
    }

    /// All records.
    #[inline]
    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Adds the position after a move.
    #[inline]
    pub(super) fn push(&mut self, position: &Position, undo: Undo, foul: Option<IllegalKind>) {
        let key = position.key();
        let index = self.records.len() as u32;
        let head = &mut self.heads[key as usize & (CHAINS - 1)];
        let chain = std::mem::replace(head, index);
        let mut record =
            Record { key, undo, chain, previous: NONE, occurrences: 1, checks: 0, foul };
        let mut earlier = chain;
        while let Some(other) = self.records.get(earlier as usize) {
            if other.key == key {
                record.previous = earlier;
                record.occurrences = other.occurrences + 1;
                break;
            }
            earlier = other.chain;
        }
        if position.in_check() {
            record.checks = 1 + self.checks_before(foul);
        }
        self.fouls += u32::from(foul.is_some());
        self.records.push(record);
    }

    /// The checks in a row of the side that has just moved, before its move. A move out of turn
    /// breaks the row.
    #[inline]
    fn checks_before(&self, foul: Option<IllegalKind>) -> u32 {
        let out_of_turn = |foul| foul == Some(IllegalKind::OutOfTurn);
        match self.records.as_slice() {
            [.., before, last] if !out_of_turn(foul) && !out_of_turn(last.foul) => before.checks,
            _ => 0,
        }
    }

    /// Removes the last position and gives what its move needs to be taken back.
    #[inline]
    pub(super) fn pop(&mut self) -> (Undo, Option<IllegalKind>) {
        let record = self.records.pop().expect("the start is never taken back");
        self.heads[record.key as usize & (CHAINS - 1)] = record.chain;
        self.fouls -= u32::from(record.foul.is_some());
        (record.undo, record.foul)
    }
}
