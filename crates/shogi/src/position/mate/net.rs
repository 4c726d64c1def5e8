//! From where a mate may be given.

use crate::attacks::{self, near, reach};
use crate::{Bitboard, Color, PieceKind, Position, Square};

/// The squares from which each kind of the side to move gives check, and those from which the
/// check may be mate.
///
/// A piece mates only if it attacks every flight of the king, and if it is held where the king may
/// take it. Both are looked up for all squares at once, with lines taken to be free, so that most
/// moves are never looked at.
pub(super) struct MatingNet {
    /// The enemy king.
    pub(super) king: Square,
    /// Where a mover gives check.
    checking: ByMover,
    /// Where a mover gives check, is held or out of the king's reach, and attacks all flights.
    mating: ByMover,
    /// Own pieces that open a line onto a flight when they leave.
    openers: Bitboard,
    /// Own pieces that open a line onto the king when they leave it.
    unmasking: Bitboard,
}

/// Squares by how a piece moves: the numbers of the first seven kinds, then horse and dragon.
type ByMover = [Bitboard; 9];

/// The number of the mover that a kind is.
#[inline]
fn mover(kind: PieceKind) -> Option<usize> {
    match kind {
        PieceKind::King => None,
        PieceKind::Horse => Some(7),
        PieceKind::Dragon => Some(8),
        kind if kind.is_gold_mover() => Some(PieceKind::Gold.index()),
        kind => Some(kind.index()),
    }
}

impl MatingNet {
    /// The net around `king`, the king of the side that does not move.
    #[inline]
    pub(super) fn new(position: &Position, king: Square) -> MatingNet {
        let us = position.side_to_move();
        let around = attacks::king(king);
        let lines = Lines::new(position, us, king);
        let held = lines.held | position.controlled_by_steps(us);
        let flights = (around - position.pieces(!us)) - held;
        let occupied = position.occupied();
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let checking = by_mover(king, !us, bishop, rook);
        let mut mating = checking.map(|squares| squares & (held | (Bitboard::FULL - around)));
        for flight in flights {
            let diagonal = reach::diagonal(flight).squares;
            let straight = reach::straight(flight).squares;
            let covering = by_mover(flight, !us, diagonal, straight);
            for (mating, covering) in mating.iter_mut().zip(covering) {
                *mating &= covering;
            }
        }
        let openers =
            if (lines.opened & flights).is_empty() { Bitboard::EMPTY } else { lines.openers };
        let unmasking = position.blockers(!us) & position.pieces(us);
        MatingNet { king, checking, mating, openers, unmasking }
    }

    /// Whether no move can mate.
    #[inline]
    pub(super) fn is_torn(&self, position: &Position) -> bool {
        let us = position.side_to_move();
        let hand = position.hand(us);
        let absent = |kind: PieceKind, sliders: Bitboard| !hand.has(kind) && sliders.is_empty();
        let [pawn, lance, knight, silver, bishop, rook, gold, horse, dragon] = self.mating;
        let mut any = self.openers | self.unmasking | gold | pawn | lance | knight | silver;
        if !absent(PieceKind::Bishop, position.diagonal_sliders(us)) {
            any |= bishop | horse;
        }
        if !absent(PieceKind::Rook, position.straight_sliders(us)) {
            any |= rook | dragon;
        }
        any.is_empty()
    }

    /// The own pieces that may mate by arriving on a square of `arrivals`, or by leaving theirs.
    #[inline]
    pub(super) fn movers(&self, position: &Position, arrivals: Bitboard) -> Bitboard {
        let us = position.side_to_move();
        let squares = self.mating.iter().fold(Bitboard::EMPTY, |any, &set| any | set);
        let mut found = Bitboard::EMPTY;
        for to in squares & arrivals {
            let diagonal = reach::diagonal(to).squares;
            let straight = reach::straight(to).squares;
            let from = by_mover(to, !us, diagonal, straight);
            let kinds = PieceKind::HAND.map(|kind| match kind {
                PieceKind::Gold => position.gold_movers(),
                kind => position.kind(kind),
            });
            for (from, kind) in from.into_iter().zip(kinds) {
                found |= from & kind;
            }
            found |= from[7] & position.kind(PieceKind::Horse);
            found |= from[8] & position.kind(PieceKind::Dragon);
        }
        found & position.pieces(us) | self.openers | self.unmasking
    }

    /// Where a dropped piece may mate.
    #[inline]
    pub(super) fn drops(&self, kind: PieceKind) -> Bitboard {
        mover(kind).map_or(Bitboard::EMPTY, |mover| self.mating[mover])
    }

    /// Where the piece on `from` may mate if it is a `kind` there.
    #[inline]
    pub(super) fn moves(&self, from: Square, kind: PieceKind) -> Bitboard {
        let Some(mover) = mover(kind) else { return Bitboard::EMPTY };
        if self.openers.contains(from) { self.checking[mover] } else { self.mating[mover] }
    }

    /// Whether the piece on `from` stands between the king and a slider of its own.
    #[inline]
    pub(super) fn unmasks(&self, from: Square) -> bool {
        self.unmasking.contains(from)
    }
}

/// From where a piece of the enemy of `color` attacks `square`, when these are the lines of bishops
/// and rooks.
#[inline(always)]
fn by_mover(square: Square, color: Color, bishop: Bitboard, rook: Bitboard) -> ByMover {
    let around = attacks::king(square);
    [
        attacks::pawn(color, square),
        rook & attacks::lance_rays(color, square),
        attacks::knight(color, square),
        attacks::silver(color, square),
        bishop,
        rook,
        attacks::gold(color, square),
        bishop | around,
        rook | around,
    ]
}

/// What the sliders of a side attack, mostly around the enemy king, with the king lifted.
struct Lines {
    held: Bitboard,
    /// Own pieces behind which a slider would go on to squares around the king.
    openers: Bitboard,
    /// These squares.
    opened: Bitboard,
}

impl Lines {
    #[inline]
    fn new(position: &Position, us: Color, king: Square) -> Lines {
        let own = position.pieces(us);
        let lifted = position.occupied() - Bitboard::of(king);
        let around = attacks::king(king);
        let empty = Bitboard::EMPTY;
        let mut lines = Lines { held: empty, openers: empty, opened: empty };
        for from in position.diagonal_sliders(us) & near::diagonals(king) {
            lines.add(own, around, lifted, |taken| attacks::bishop(from, taken));
        }
        for from in position.straight_sliders(us) & near::straights(king) {
            lines.add(own, around, lifted, |taken| attacks::rook(from, taken));
        }
        for from in position.pieces_of(us, PieceKind::Lance) & near::files(king) {
            lines.add(own, around, lifted, |taken| attacks::lance(us, from, taken));
        }
        lines
    }

    #[inline(always)]
    fn add(
        &mut self,
        own: Bitboard,
        around: Bitboard,
        lifted: Bitboard,
        attacks: impl Fn(Bitboard) -> Bitboard,
    ) {
        let held = attacks(lifted);
        let stops = held & own;
        self.held |= held;
        let further = (attacks(lifted - stops) & around) - held;
        if !further.is_empty() {
            self.openers |= stops;
            self.opened |= further;
        }
    }
}
