//! Where generated moves go.

use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

/// Takes sets of moves.
pub(super) trait Sink {
    /// Moves of the piece on `from` to each square of `to`, without promotion.
    fn plain(&mut self, from: Square, to: Bitboard);

    /// Moves of the piece on `from` to each square of `to`, with promotion.
    fn promotions(&mut self, from: Square, to: Bitboard);

    /// Pawns of `color` stepping onto each square of `to`, without promotion.
    fn pawns(&mut self, color: Color, to: Bitboard);

    /// Pawns of `color` stepping onto each square of `to`, with promotion.
    fn pawn_promotions(&mut self, color: Color, to: Bitboard);

    /// Drops of a `kind` in hand onto each square of `to`.
    fn drops(&mut self, kind: PieceKind, to: Bitboard);

    /// Whether no further moves are wanted.
    #[inline]
    fn is_satisfied(&self) -> bool {
        false
    }
}

/// Lists the moves.
pub(super) struct List<'a>(pub(super) &'a mut MoveList);

/// The square behind `to` as `color` plays; a pawn came from there.
#[inline]
fn behind(color: Color, to: Square) -> Square {
    match color {
        Color::Black => Square::at(to.index() as u8 + 1),
        Color::White => Square::at(to.index() as u8 - 1),
    }
}

impl Sink for List<'_> {
    #[inline]
    fn plain(&mut self, from: Square, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::normal(from, to)));
    }

    #[inline]
    fn promotions(&mut self, from: Square, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::promotion(from, to)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::normal(behind(color, to), to)));
    }

    #[inline]
    fn pawn_promotions(&mut self, color: Color, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::promotion(behind(color, to), to)));
    }

    #[inline]
    fn drops(&mut self, kind: PieceKind, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::drop(kind, to)));
    }
}

/// Counts the moves.
pub(super) struct Count(pub(super) u32);

impl Sink for Count {
    #[inline]
    fn plain(&mut self, _: Square, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline]
    fn promotions(&mut self, _: Square, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline]
    fn pawns(&mut self, _: Color, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline]
    fn pawn_promotions(&mut self, _: Color, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline]
    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 += to.len();
    }
}

/// Stops at the first move.
pub(super) struct Any(pub(super) bool);

impl Sink for Any {
    #[inline]
    fn plain(&mut self, _: Square, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn promotions(&mut self, _: Square, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn pawns(&mut self, _: Color, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn pawn_promotions(&mut self, _: Color, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn is_satisfied(&self) -> bool {
        self.0
    }
}
