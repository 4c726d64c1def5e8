//! Generation of the strictly legal moves.
//!
//! Every set of targets is already cut down by checks and pins, so that no move is tested after it
//! was listed. The generator hands the sets to a [`Sink`](sink::Sink), which lists, counts, or stops at the
//! first move.

mod drops;
mod generator;
mod sink;

use crate::{MoveList, Position};

use generator::generate;
use sink::{Any, Count, List};

impl Position {
    /// Appends every legal move: all non-promotions included, drop-pawn mates excluded. The order
    /// depends on the position alone.
    ///
    /// # Panics
    /// If the list may have too little room left. An empty one has enough for any position.
    pub fn legal_moves(&self, moves: &mut MoveList) {
        let mut list = List::new(moves);
        generate(self, &mut list);
        list.finish();
    }

    /// Number of legal moves.
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = Count(0);
        generate(self, &mut count);
        count.0
    }

    /// Whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        generate(self, &mut any);
        any.0
    }
}
