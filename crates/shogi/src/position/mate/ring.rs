//! The eight squares around a king, as the bits of a byte.

use crate::{Bitboard, Square};

/// Files and ranks from the king to the square of each bit, in the order of the squares' numbers.
pub(super) const STEPS: [(i8, i8); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// Some of the squares around a king. Off the board there are none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ring(pub(super) u8);

impl Ring {
    /// The squares of `set`, all of which are around `king`.
    #[inline]
    pub(super) fn new(king: Square, set: Bitboard) -> Ring {
        // The king moves to bit 10, its neighbours to bits 0-2, 9, 11 and 18-20.
        let near = ((set.bits() << 10) >> king.index()) as u32;
        Ring((near & 0x07 | near >> 6 & 0x08 | near >> 7 & 0x10 | near >> 13 & 0xe0) as u8)
    }

    /// The squares, each with the ring that has it alone.
    #[inline]
    pub(super) fn iter(self, king: Square) -> impl Iterator<Item = (Square, Ring)> {
        const OFFSETS: [i8; 8] = [-10, -9, -8, -1, 1, 8, 9, 10];
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let lowest = bits & bits.wrapping_neg();
            let offset = OFFSETS.get(bits.trailing_zeros() as usize)?;
            bits ^= lowest;
            Some((Square::at((king.index() as i8 + offset) as u8), Ring(lowest)))
        })
    }

    /// Whether they have a square in common.
    #[inline]
    pub(super) fn meets(self, other: Ring) -> bool {
        self.0 & other.0 != 0
    }
}
