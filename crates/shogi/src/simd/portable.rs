//! One move after the other.

use crate::attacks::reach::Reach;
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

/// The squares of a line up to the first taken one on either side of its own.
#[inline]
pub(crate) fn line_attacks(line: &Reach<1>, occupied: Bitboard) -> Bitboard {
    let taken = (line.squares & occupied).bits();
    let before = Bitboard::of(line.from).bits() - 1;
    // Subtracting one turns over the bits up to the lowest one.
    let after = taken & !before;
    let up = (after ^ after.wrapping_sub(1)) & !before;
    // The lowest bit stands in for the edge.
    let down = u128::MAX << (127 - (taken & before | 1).leading_zeros()) & before;
    line.squares & Bitboard::from_bits(up | down)
}

/// Appends moves to a list.
pub(crate) struct MoveWriter<'a>(&'a mut MoveList);

/// The square behind `to` as `color` plays; a pawn came from there.
#[inline]
fn behind(color: Color, to: Square) -> Square {
    match color {
        Color::Black => Square::at(to.index() as u8 + 1),
        Color::White => Square::at(to.index() as u8 - 1),
    }
}

impl<'a> MoveWriter<'a> {
    #[inline]
    pub(crate) fn new(list: &'a mut MoveList) -> MoveWriter<'a> {
        MoveWriter(list)
    }

    /// Ends the list with the last move written.
    #[inline]
    pub(crate) fn finish(self) {}

    /// Moves to the squares `to`, which are in reach, without promotion.
    #[inline]
    pub(crate) fn plain<const EIGHTS: usize>(&mut self, reach: &Reach<EIGHTS>, to: Bitboard) {
        let from = reach.from;
        to.iter().for_each(|to| self.0.push(Move::normal(from, to)));
    }

    /// Moves to the squares `to`, which are in reach, with promotion.
    #[inline]
    pub(crate) fn promotions<const EIGHTS: usize>(&mut self, reach: &Reach<EIGHTS>, to: Bitboard) {
        let from = reach.from;
        to.iter().for_each(|to| self.0.push(Move::promotion(from, to)));
    }

    /// Pawns of `color` stepping onto each square of `to`, without promotion.
    #[inline]
    pub(crate) fn pawns(&mut self, color: Color, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::normal(behind(color, to), to)));
    }

    /// Pawns of `color` stepping onto each square of `to`, with promotion.
    #[inline]
    pub(crate) fn pawn_promotions(&mut self, color: Color, to: Bitboard) {
        to.iter().for_each(|to| self.0.push(Move::promotion(behind(color, to), to)));
    }

    /// Drops of each of `kinds` onto each square of `to`, kind by kind.
    #[inline]
    pub(crate) fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) {
        for &kind in kinds {
            to.iter().for_each(|to| self.0.push(Move::drop(kind, to)));
        }
    }

    /// One move.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }
}
