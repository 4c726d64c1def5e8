//! Pieces in hand.

use crate::PieceKind;

/// The pieces that one side holds in hand, packed into one word.
///
/// Every count has spare bits above it, so that two hands are compared by one subtraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand(u32);

/// Bit offset of the count of each kind, in the order of [`PieceKind::HAND`].
const SHIFT: [u32; 7] = [0, 8, 12, 16, 24, 28, 20];
/// Mask of the count of each kind, before shifting.
const MASK: [u32; 7] = [31, 7, 7, 7, 3, 3, 7];
/// The bit just above every count.
const GUARD: u32 = 1 << 5 | 1 << 11 | 1 << 15 | 1 << 19 | 1 << 23 | 1 << 26 | 1 << 30;

impl Hand {
    /// A hand without pieces.
    pub const EMPTY: Hand = Hand(0);

    /// How many pieces of `kind` it holds; 0 for kinds that cannot be held.
    #[inline]
    pub const fn count(self, kind: PieceKind) -> u8 {
        let i = kind.index();
        if i < 7 { (self.0 >> SHIFT[i] & MASK[i]) as u8 } else { 0 }
    }

    /// Whether it holds at least one piece of `kind`.
    #[inline]
    pub const fn has(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    /// Whether it holds nothing.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The packed counts.
    #[inline]
    pub(crate) const fn packed(self) -> u32 {
        self.0
    }

    /// Adds a piece of `kind` (a promoted kind is turned over).
    #[inline]
    pub(crate) fn add(&mut self, kind: PieceKind) {
        self.0 += 1 << SHIFT[hand_index(kind)];
    }

    /// Takes a piece of `kind` out.
    #[inline]
    pub(crate) fn take(&mut self, kind: PieceKind) {
        debug_assert!(self.has(kind.unpromoted()), "the hand holds the piece");
        self.0 -= 1 << SHIFT[hand_index(kind)];
    }

    /// Whether it holds at least as many pieces of every kind as `other`.
    #[inline]
    pub const fn covers(self, other: Hand) -> bool {
        ((self.0 | GUARD) - other.0) & GUARD == GUARD
    }

    /// All pieces with their counts (at least 1), in the order of [`PieceKind::HAND`].
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u8)> {
        PieceKind::HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, count)| count > 0)
    }

    /// Points of the pieces in an impasse count.
    pub fn points(self) -> u32 {
        self.iter().map(|(kind, count)| kind.points() * u32::from(count)).sum()
    }
}

/// Number of the kind among the kinds in hand; promoted kinds count as what they were.
#[inline]
const fn hand_index(kind: PieceKind) -> usize {
    let i = kind.index();
    if i >= 8 { i - 8 } else { i }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_independent() {
        let mut hand = Hand::EMPTY;
        for kind in PieceKind::HAND {
            for _ in 0..kind.in_set() {
                hand.add(kind);
            }
        }
        for kind in PieceKind::HAND {
            assert_eq!(u32::from(hand.count(kind)), kind.in_set());
        }
        assert_eq!(hand.points(), 18 + 16 + 20);
        hand.take(PieceKind::Gold);
        assert_eq!(hand.count(PieceKind::Gold), 3);
        assert_eq!(hand.count(PieceKind::Bishop), 2);
    }

    #[test]
    fn a_hand_covers_what_it_contains() {
        let mut small = Hand::EMPTY;
        small.add(PieceKind::Pawn);
        let mut large = small;
        large.add(PieceKind::Rook);
        assert!(large.covers(small) && large.covers(large) && !small.covers(large));
        let mut other = Hand::EMPTY;
        other.add(PieceKind::Lance);
        assert!(!large.covers(other) && !other.covers(large));
    }

    #[test]
    fn promoted_pieces_turn_over() {
        let mut hand = Hand::EMPTY;
        hand.add(PieceKind::Dragon);
        hand.add(PieceKind::Horse);
        hand.add(PieceKind::ProPawn);
        hand.add(PieceKind::ProSilver);
        let held: Vec<_> = hand.iter().collect();
        assert_eq!(
            held,
            [
                (PieceKind::Pawn, 1),
                (PieceKind::Silver, 1),
                (PieceKind::Bishop, 1),
                (PieceKind::Rook, 1)
            ]
        );
    }
}
