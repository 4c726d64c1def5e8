//! A square of the board.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::Color;

/// A square of the 9x9 board, numbered file by file: 1a = 0, 1b = 1, .., 2a = 9, .., 9i = 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Number of squares of the board.
    pub const COUNT: usize = 81;

    /// The square at `file0` (0 = file 1) and `rank0` (0 = rank a).
    ///
    /// # Panics
    /// If a coordinate is above 8.
    #[inline]
    pub const fn new(file0: u8, rank0: u8) -> Square {
        assert!(file0 < 9 && rank0 < 9, "coordinates are 0..9");
        Square(file0 * 9 + rank0)
    }

    /// The square with this number, if it is below 81.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < 81 { Some(Square(index)) } else { None }
    }

    /// The square with a number that is known to be below 81.
    #[inline]
    pub(crate) const fn at(index: u8) -> Square {
        debug_assert!(index < 81);
        Square(index)
    }

    /// Its number, 0..81.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file, 0..9 (0 = file 1).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// Its rank, 0..9 (0 = rank a).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// Its rank as `color` sees it: 0 is the farthest rank of the enemy camp, 8 the own back rank.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 8 - self.rank(),
        }
    }

    /// Whether the square lies in the camp where pieces of `color` promote (its three farthest
    /// ranks).
    #[inline]
    pub const fn is_in_zone(self, color: Color) -> bool {
        self.rank_for(color) < 3
    }

    /// The square after half a turn of the board.
    #[inline]
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square after swapping left and right: the file changes, the rank stays.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square((8 - self.file()) * 9 + self.rank())
    }

    /// All squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..81).map(Square)
    }
}

impl fmt::Display for Square {
    /// Writes USI text, such as `7g`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = [b'1' + self.file(), b'a' + self.rank()];
        f.pad(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square in USI notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a square: {0:?} (expected a file 1-9 and a rank a-i, as in `7g`)")]
pub struct ParseSquareError(String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Square::new(file - b'1', rank - b'a')),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

macro_rules! square_names {
    ($($name:ident = $index:expr;)*) => {
        /// The squares by their USI names.
        impl Square {
            $(
                #[doc = "The square of this name."]
                pub const $name: Square = Square($index);
            )*
        }
    };
}

square_names! {
    SQ_1A = 0;
    SQ_1B = 1;
    SQ_1C = 2;
    SQ_1D = 3;
    SQ_1E = 4;
    SQ_1F = 5;
    SQ_1G = 6;
    SQ_1H = 7;
    SQ_1I = 8;
    SQ_2A = 9;
    SQ_2B = 10;
    SQ_2C = 11;
    SQ_2D = 12;
    SQ_2E = 13;
    SQ_2F = 14;
    SQ_2G = 15;
    SQ_2H = 16;
    SQ_2I = 17;
    SQ_3A = 18;
    SQ_3B = 19;
    SQ_3C = 20;
    SQ_3D = 21;
    SQ_3E = 22;
    SQ_3F = 23;
    SQ_3G = 24;
    SQ_3H = 25;
    SQ_3I = 26;
    SQ_4A = 27;
    SQ_4B = 28;
    SQ_4C = 29;
    SQ_4D = 30;
    SQ_4E = 31;
    SQ_4F = 32;
    SQ_4G = 33;
    SQ_4H = 34;
    SQ_4I = 35;
    SQ_5A = 36;
    SQ_5B = 37;
    SQ_5C = 38;
    SQ_5D = 39;
    SQ_5E = 40;
    SQ_5F = 41;
    SQ_5G = 42;
    SQ_5H = 43;
    SQ_5I = 44;
    SQ_6A = 45;
    SQ_6B = 46;
    SQ_6C = 47;
    SQ_6D = 48;
    SQ_6E = 49;
    SQ_6F = 50;
    SQ_6G = 51;
    SQ_6H = 52;
    SQ_6I = 53;
    SQ_7A = 54;
    SQ_7B = 55;
    SQ_7C = 56;
    SQ_7D = 57;
    SQ_7E = 58;
    SQ_7F = 59;
    SQ_7G = 60;
    SQ_7H = 61;
    SQ_7I = 62;
    SQ_8A = 63;
    SQ_8B = 64;
    SQ_8C = 65;
    SQ_8D = 66;
    SQ_8E = 67;
    SQ_8F = 68;
    SQ_8G = 69;
    SQ_8H = 70;
    SQ_8I = 71;
    SQ_9A = 72;
    SQ_9B = 73;
    SQ_9C = 74;
    SQ_9D = 75;
    SQ_9E = 76;
    SQ_9F = 77;
    SQ_9G = 78;
    SQ_9H = 79;
    SQ_9I = 80;
}
