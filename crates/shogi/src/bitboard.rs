//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::square_map::SquareMap;
use crate::{Color, Square};

/// A set of squares: two words, files 1-7 in the first (63 bits), files 8-9 in the second (18
/// bits). No file crosses a word, so lances, rook files and pawns work on one word.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(align(16))]
pub struct Bitboard([u64; 2]);

const LOW: u64 = (1 << 63) - 1;
const HIGH: u64 = (1 << 18) - 1;
/// Squares of rank a in either word.
const RANK_A: [u64; 2] = {
    let mut low = 0;
    let mut file = 0;
    while file < 7 {
        low |= 1 << (9 * file);
        file += 1;
    }
    [low, 1 | 1 << 9]
};

static BIT: SquareMap<Bitboard> = {
    let mut table = [Bitboard::EMPTY; 128];
    let mut i = 0;
    while i < 81 {
        table[i] = Bitboard::of_index(i);
        i += 1;
    }
    SquareMap(table)
};

impl Bitboard {
    /// The set without squares.
    pub const EMPTY: Bitboard = Bitboard([0, 0]);
    /// The set of all 81 squares.
    pub const FULL: Bitboard = Bitboard([LOW, HIGH]);

    /// The set of the square with this number, at compile time.
    pub(crate) const fn of_index(i: usize) -> Bitboard {
        if i < 63 { Bitboard([1 << i, 0]) } else { Bitboard([0, 1 << (i - 63)]) }
    }

    /// The set of one square.
    #[inline]
    pub fn of(square: Square) -> Bitboard {
        BIT[square]
    }

    /// The set with the given two words.
    #[inline]
    pub(crate) const fn from_words(words: [u64; 2]) -> Bitboard {
        Bitboard(words)
    }

    /// Its two words.
    #[inline]
    pub(crate) const fn words(self) -> [u64; 2] {
        self.0
    }

    /// The squares of rank `rank0` (0 = rank a).
    #[inline]
    pub const fn rank(rank0: u8) -> Bitboard {
        Bitboard([RANK_A[0] << rank0, RANK_A[1] << rank0])
    }

    /// The squares of file `file0` (0 = file 1).
    #[inline]
    pub const fn file(file0: u8) -> Bitboard {
        if file0 < 7 {
            Bitboard([0x1ff << (9 * file0), 0])
        } else {
            Bitboard([0, 0x1ff << (9 * (file0 - 7))])
        }
    }

    /// The first `ranks` ranks at the far end for `color`: 3 is the promotion zone.
    #[inline]
    pub const fn far_ranks(color: Color, ranks: u8) -> Bitboard {
        let column = match color {
            Color::Black => (1u64 << ranks) - 1,
            Color::White => ((1u64 << ranks) - 1) << (9 - ranks),
        };
        Bitboard([RANK_A[0] * column, RANK_A[1] * column])
    }

    /// The camp in which pieces of `color` promote.
    #[inline]
    pub const fn zone(color: Color) -> Bitboard {
        Bitboard::far_ranks(color, 3)
    }

    /// Whether the square is in the set.
    #[inline]
    pub fn contains(self, square: Square) -> bool {
        !(self & BIT[square]).is_empty()
    }

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        *self |= BIT[square];
    }

    /// Takes a square out.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        *self = *self - BIT[square];
    }

    /// Number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Whether the set has more than one square.
    #[inline]
    pub const fn is_many(self) -> bool {
        let [low, high] = self.0;
        low & low.wrapping_sub(1) != 0
            || high & high.wrapping_sub(1) != 0
            || (low != 0 && high != 0)
    }

    /// The square with the lowest number.
    #[inline]
    pub fn first(self) -> Option<Square> {
        self.iter().next()
    }

    /// All squares in the order of their numbers.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self.0)
    }

    /// The set as a number whose bit i is square i.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 63
    }

    /// The set of the squares whose bits are set; bits above 80 are ignored.
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard([bits as u64 & LOW, (bits >> 63) as u64 & HIGH])
    }

    /// Every square moved one rank ahead for `color`; the squares of its last rank must be absent.
    #[inline]
    pub(crate) const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard([self.0[0] >> 1, self.0[1] >> 1]),
            Color::White => Bitboard([self.0[0] << 1, self.0[1] << 1]),
        }
    }

    /// Every square moved one rank back for `color`; the squares of its first rank must be absent.
    #[inline]
    pub(crate) const fn backward(self, color: Color) -> Bitboard {
        self.forward(color.opponent())
    }

    /// The squares to the left and to the right of every square.
    #[inline]
    pub(crate) const fn beside(self) -> Bitboard {
        let [low, high] = self.0;
        Bitboard([
            (low << 9 | low >> 9 | high << 54) & LOW,
            (high << 9 | high >> 9 | low >> 54) & HIGH,
        ])
    }

    /// The squares where a pawn of `color` may be dropped as far as double pawns and the last rank
    /// go, when the set is its unpromoted pawns.
    #[inline]
    pub(crate) fn pawn_drop_mask(self, color: Color) -> Bitboard {
        // In each file of nine bits, 256 less the pawns keeps its top bit only if there are none.
        let open_files = |pawns: u64, top: u64| {
            let open = (top - (pawns & !top)) & top & !pawns;
            open | (open - (open >> 8))
        };
        let low = open_files(self.0[0], RANK_A[0] << 8);
        let high = open_files(self.0[1], RANK_A[1] << 8);
        Bitboard::from_words([low, high]) - Bitboard::far_ranks(color, 1)
    }
}

/// Iterator over the squares of a [`Bitboard`].
#[derive(Clone, Debug)]
pub struct Squares([u64; 2]);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let [low, high] = self.0;
        if low != 0 {
            self.0[0] = low & (low - 1);
            Some(Square::at(low.trailing_zeros() as u8))
        } else if high != 0 {
            self.0[1] = high & (high - 1);
            Some(Square::at(63 + high.trailing_zeros() as u8))
        } else {
            None
        }
    }

    #[inline]
    fn for_each<F: FnMut(Square)>(self, mut f: F) {
        let [mut low, mut high] = self.0;
        while low != 0 {
            f(Square::at(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            f(Square::at(63 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.0[0].count_ones() + self.0[1].count_ones()) as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;

    /// The squares that are not in `other`.
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard([!self.0[0] & LOW, !self.0[1] & HIGH])
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        *self = *self ^ other;
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_one_bit() {
        for square in Square::all() {
            let set = Bitboard::of(square);
            assert_eq!(set.bits(), 1 << square.index());
            assert_eq!(Bitboard::from_bits(set.bits()), set);
            assert_eq!(set.iter().collect::<Vec<_>>(), [square]);
            assert!(set.contains(square) && set.len() == 1 && !set.is_many());
            assert!(Bitboard::rank(square.rank()).contains(square));
            assert!(Bitboard::file(square.file()).contains(square));
        }
        assert_eq!(Bitboard::FULL.len(), 81);
        assert_eq!(!Bitboard::FULL, Bitboard::EMPTY);
    }

    #[test]
    fn zones_are_three_ranks() {
        for color in Color::ALL {
            let expected: Bitboard = Square::all().filter(|s| s.is_in_zone(color)).collect();
            assert_eq!(Bitboard::zone(color), expected);
        }
    }

    #[test]
    fn pawn_drops_keep_to_files_without_pawns() {
        // Every set of files with a pawn, the pawn's rank varying with the file.
        for files in 0..512u32 {
            for rank in 0..9u8 {
                let pawns: Bitboard = (0..9u8)
                    .filter(|file| files >> file & 1 == 1)
                    .map(|file| Square::new(file, (rank + file) % 9))
                    .collect();
                for color in Color::ALL {
                    let expected: Bitboard = Square::all()
                        .filter(|s| files >> s.file() & 1 == 0 && s.rank_for(color) != 0)
                        .collect();
                    assert_eq!(pawns.pawn_drop_mask(color), expected, "{pawns:?}");
                }
            }
        }
    }
}
