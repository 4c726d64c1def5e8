//! Whether a move mates.

use super::MateSearch;
use crate::attacks;
use crate::{Bitboard, Move, PieceKind, Square};

impl MateSearch<'_> {
    /// Whether a legal move mates that gives check with nothing but the piece it leads to `to`,
    /// where it is `kind`, beside the king or by a knight's jump: nothing can be put between.
    pub(super) fn mates(&self, from: Option<Square>, to: Square, kind: PieceKind) -> bool {
        let left = from.map_or(Bitboard::EMPTY, Bitboard::of);
        let occupied = (self.position.occupied() - left) | Bitboard::of(to);
        !self.can_be_taken(left, to, occupied) && !self.can_flee(left, to, kind, occupied)
    }

    /// Whether a piece other than the king may take the piece on `to`.
    fn can_be_taken(&self, left: Bitboard, to: Square, occupied: Bitboard) -> bool {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let takers = position.attackers_with(to, !us, occupied) - Bitboard::of(king);
        takers.into_iter().any(|taker| {
            let taken = occupied - Bitboard::of(taker);
            (position.slide_attackers(king, us, taken) - left).is_empty()
        })
    }

    /// Whether the king has a square to go to, that of the piece on `to` included.
    fn can_flee(&self, left: Bitboard, to: Square, kind: PieceKind, occupied: Bitboard) -> bool {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let lifted = occupied - Bitboard::of(king);
        let own = position.pieces(!us) - Bitboard::of(to);
        let flights = attacks::king(king) - own - attacks::attacks(kind, us, to, lifted);
        let held = |flight| !(position.attackers_with(flight, us, lifted) - left).is_empty();
        !flights.into_iter().all(held)
    }

    /// Whether a legal move mates, by playing it.
    pub(super) fn mates_when_played(&self, mv: Move) -> bool {
        let mut after = self.position.clone();
        after.do_move(mv);
        after.in_check() && !after.has_legal_move()
    }
}
