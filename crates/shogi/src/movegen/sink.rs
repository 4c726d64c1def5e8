//! Where generated moves go.

use crate::attacks::reach::Reach;
use crate::simd::MoveWriter;
use crate::{Bitboard, Color, Move, PieceKind, Square};

/// Takes sets of moves.
pub(super) trait Sink {
    /// Moves of a piece to each square of `to`, all of them in its reach, without promotion.
    fn plain<const EIGHTS: usize>(&mut self, reach: &Reach<EIGHTS>, to: Bitboard);

    /// Moves of a piece to each square of `to`, all of them in its reach, with promotion.
    fn promotions<const EIGHTS: usize>(&mut self, reach: &Reach<EIGHTS>, to: Bitboard);

    /// Moves of the piece on `from` to each square of `plain` without promotion, and to each of
    /// `promotions` with it, where such moves are few.
    fn few(&mut self, from: Square, plain: Bitboard, promotions: Bitboard);

    /// Pawns of `color` stepping onto each square of `to`, without promotion.
    fn pawns(&mut self, color: Color, to: Bitboard);

    /// Pawns of `color` stepping onto each square of `to`, with promotion.
    fn pawn_promotions(&mut self, color: Color, to: Bitboard);

    /// Drops of each of `kinds` onto each square of `to`.
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard);

    /// Whether no further moves are wanted.
    #[inline]
    fn is_satisfied(&self) -> bool {
        false
    }
}

/// Lists the moves.
pub(super) type List<'a> = MoveWriter<'a>;

impl Sink for List<'_> {
    #[inline]
    fn plain<const EIGHTS: usize>(&mut self, reach: &Reach<EIGHTS>, to: Bitboard) {
        MoveWriter::plain(self, reach, to);
    }

    #[inline]
    fn promotions<const EIGHTS: usize>(&mut self, reach: &Reach<EIGHTS>, to: Bitboard) {
        MoveWriter::promotions(self, reach, to);
    }

    #[inline]
    fn few(&mut self, from: Square, plain: Bitboard, promotions: Bitboard) {
        promotions.iter().for_each(|to| self.push(Move::promotion(from, to)));
        plain.iter().for_each(|to| self.push(Move::normal(from, to)));
    }

    #[inline]
    fn pawns(&mut self, color: Color, to: Bitboard) {
        MoveWriter::pawns(self, color, to);
    }

    #[inline]
    fn pawn_promotions(&mut self, color: Color, to: Bitboard) {
        MoveWriter::pawn_promotions(self, color, to);
    }

    #[inline]
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) {
        MoveWriter::drops(self, kinds, to);
    }
}

/// Counts the moves.
pub(super) struct Count(pub(super) u32);

impl Sink for Count {
    #[inline]
    fn plain<const EIGHTS: usize>(&mut self, _: &Reach<EIGHTS>, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline]
    fn promotions<const EIGHTS: usize>(&mut self, _: &Reach<EIGHTS>, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline]
    fn few(&mut self, _: Square, plain: Bitboard, promotions: Bitboard) {
        self.0 += plain.len() + promotions.len();
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
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) {
        self.0 += to.len() * kinds.len() as u32;
    }
}

/// Stops at the first move.
pub(super) struct Any(pub(super) bool);

impl Sink for Any {
    #[inline]
    fn plain<const EIGHTS: usize>(&mut self, _: &Reach<EIGHTS>, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn promotions<const EIGHTS: usize>(&mut self, _: &Reach<EIGHTS>, to: Bitboard) {
        self.0 |= !to.is_empty();
    }

    #[inline]
    fn few(&mut self, _: Square, plain: Bitboard, promotions: Bitboard) {
        self.0 |= !(plain | promotions).is_empty();
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
    fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) {
        self.0 |= !to.is_empty() && !kinds.is_empty();
    }

    #[inline]
    fn is_satisfied(&self) -> bool {
        self.0
    }
}
