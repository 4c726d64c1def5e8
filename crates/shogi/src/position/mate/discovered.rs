//! Mates by discovered check.

use super::MateSearch;
use crate::attacks;
use crate::attacks::direction::line_through;
use crate::{Bitboard, Move, PieceKind, Square};

impl MateSearch<'_> {
    /// Mates by leaving a line onto the king.
    #[inline]
    pub(super) fn discovered(&self) -> Option<Move> {
        self.net.unmasking.iter().find_map(|from| self.discovered_by(from))
    }

    #[inline(never)]
    fn discovered_by(&self, from: Square) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let kind = position.piece_at(from)?.kind;
        let off = Bitboard::FULL - line_through(self.net.king, from);
        if kind == PieceKind::King {
            return self.king_moves(from, off);
        }
        let left = self.net.flights_without(from).squares;
        let lifted = position.occupied() - Bitboard::of(from) - Bitboard::of(self.net.king);
        let covers = |kind, to| (left - attacks::attacks(kind, us, to, lifted)).is_empty();
        for to in self.targets(kind, from, &self.arrivals()) & off {
            let promotes = from.is_in_zone(us) || to.is_in_zone(us);
            if let Some(promoted) = kind.promoted()
                && promotes
                && covers(promoted, to)
                && self.mates_when_played(Move::promotion(from, to))
            {
                return Some(Move::promotion(from, to));
            }
            if !kind.is_dead_end(us, to)
                && covers(kind, to)
                && self.mates_when_played(Move::normal(from, to))
            {
                return Some(Move::normal(from, to));
            }
        }
        None
    }

    /// Tries the moves of a king that opens a line.
    fn king_moves(&self, from: Square, off: Bitboard) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let without = position.occupied() ^ Bitboard::of(from);
        let to = (attacks::king(from) & off) - position.pieces(us);
        to.iter().find_map(|to| {
            let mv = Move::normal(from, to);
            let safe = !position.is_attacked_with(to, !us, without);
            (safe && self.mates_when_played(mv)).then_some(mv)
        })
    }
}
