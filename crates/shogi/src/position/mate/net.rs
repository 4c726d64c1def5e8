//! Where a mate may be given.

use super::chances::Chances;
use super::ring::Ring;
use crate::attacks::direction::between;
use crate::attacks::{self, near};
use crate::{Bitboard, Color, PieceKind, Position, Square};

/// The king's flights, and where a piece beside it may mate.
///
/// A move mates only if it leaves no flight: the piece that arrives has to attack all of them, but
/// for those onto which it opens a line. With lines taken to be free, that is looked up at once for
/// all kinds and for all squares beside the king, so that most moves are never looked at.
pub(super) struct MatingNet {
    /// The enemy king.
    pub(super) king: Square,
    /// For pieces that open no line.
    pub(super) plain: Flights,
    /// For `openers`.
    pub(super) opening: Flights,
    /// Own pieces that open a line onto a flight when they leave.
    openers: Bitboard,
    /// Own pieces that open a line onto the king when they leave it.
    pub(super) unmasking: Bitboard,
}

/// What the king is left.
#[derive(Clone, Copy)]
pub(super) struct Flights {
    /// The squares around the king that are neither attacked nor taken by its own side.
    pub(super) squares: Bitboard,
    pub(super) ring: Ring,
    /// Where a piece beside the king may mate, on squares that are attacked.
    pub(super) near: Chances,
}

impl MatingNet {
    /// The net around `king`, the king of the side that does not move.
    #[inline]
    pub(super) fn new(position: &Position, king: Square) -> MatingNet {
        let us = position.side_to_move();
        let around = attacks::king(king);
        let lines = Lines::new(position, us, king);
        let held = (lines.held | position.controlled_by_steps(us)) & around;
        let squares = around - position.pieces(!us) - held;
        let arrivals = Ring::new(king, held - position.pieces(us));
        let flights = |squares| {
            let ring = Ring::new(king, squares);
            let mut near = Chances::new(us, ring).on(arrivals);
            let hand = position.hand(us);
            if position.diagonal_sliders(us).is_empty() && !hand.has(PieceKind::Bishop) {
                near = near.without(PieceKind::Bishop).without(PieceKind::Horse);
            }
            if position.straight_sliders(us).is_empty() && !hand.has(PieceKind::Rook) {
                near = near.without(PieceKind::Rook).without(PieceKind::Dragon);
            }
            Flights { squares, ring, near }
        };
        let plain = flights(squares);
        let (mut opening, mut openers) = (plain, Bitboard::EMPTY);
        if !(lines.opened & squares).is_empty() {
            opening = flights(squares - lines.opened);
            openers = lines.openers;
        }
        MatingNet { king, plain, opening, openers, unmasking: lines.unmasking }
    }

    /// What the king is left when the piece on `from` leaves.
    #[inline]
    pub(super) fn flights_without(&self, from: Square) -> Flights {
        if self.openers.contains(from) { self.opening } else { self.plain }
    }
}

/// What the sliders of a side attack, mostly around the enemy king, with the king lifted.
struct Lines {
    king: Square,
    /// The squares around the king, and its own.
    around: Bitboard,
    own: Bitboard,
    lifted: Bitboard,
    held: Bitboard,
    /// Own pieces behind which a slider would go on to squares around the king.
    openers: Bitboard,
    /// These squares.
    opened: Bitboard,
    /// Own pieces behind which a slider would go on to the king.
    unmasking: Bitboard,
}

impl Lines {
    #[inline]
    fn new(position: &Position, us: Color, king: Square) -> Lines {
        let mut lines = Lines {
            king,
            around: attacks::king(king) | Bitboard::of(king),
            own: position.pieces(us),
            lifted: position.occupied() - Bitboard::of(king),
            held: Bitboard::EMPTY,
            openers: Bitboard::EMPTY,
            opened: Bitboard::EMPTY,
            unmasking: Bitboard::EMPTY,
        };
        for from in position.diagonal_sliders(us) & near::diagonals(king) {
            lines.add(from, |occupied| attacks::bishop(from, occupied));
        }
        for from in position.straight_sliders(us) & near::straights(king) {
            lines.add(from, |occupied| attacks::rook(from, occupied));
        }
        for from in position.pieces_of(us, PieceKind::Lance) & near::files(king) {
            lines.add(from, |occupied| attacks::lance(us, from, occupied));
        }
        lines
    }

    #[inline(always)]
    fn add(&mut self, from: Square, attacks: impl Fn(Bitboard) -> Bitboard) {
        let held = attacks(self.lifted);
        let stops = held & self.own;
        self.held |= held;
        let further = (attacks(self.lifted - stops) & self.around) - held;
        if !further.is_empty() {
            self.openers |= stops;
            self.opened |= further;
            if further.contains(self.king) {
                self.unmasking |= between(from, self.king) & stops;
            }
        }
    }
}
