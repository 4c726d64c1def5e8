//! From where sliders may attack a square around another one.

use crate::square_map::SquareMap;
use crate::{Bitboard, Square};

/// The squares that a line of this kind joins with a square next to the one in question, or with
/// itself.
const fn table(kind: Line) -> SquareMap<Bitboard> {
    let mut table = [Bitboard::EMPTY; 128];
    let mut centre = 0;
    while centre < Square::COUNT {
        let mut bits = 0u128;
        let mut from = 0;
        while from < Square::COUNT {
            let files = (from / 9) as i8 - (centre / 9) as i8;
            let ranks = (from % 9) as i8 - (centre % 9) as i8;
            let joins = match kind {
                Line::File => files.abs() <= 1,
                Line::Straight => files.abs() <= 1 || ranks.abs() <= 1,
                Line::Diagonal => (files + ranks).abs() <= 2 || (files - ranks).abs() <= 2,
            };
            if joins {
                bits |= 1 << from;
            }
            from += 1;
        }
        table[centre] = Bitboard::from_bits(bits);
        centre += 1;
    }
    SquareMap(table)
}

enum Line {
    File,
    Straight,
    Diagonal,
}

static FILES: SquareMap<Bitboard> = table(Line::File);
static STRAIGHTS: SquareMap<Bitboard> = table(Line::Straight);
static DIAGONALS: SquareMap<Bitboard> = table(Line::Diagonal);

/// From where a lance may attack a square around `centre`.
#[inline]
pub(crate) fn files(centre: Square) -> Bitboard {
    FILES[centre]
}

/// From where a rook may attack a square around `centre`.
#[inline]
pub(crate) fn straights(centre: Square) -> Bitboard {
    STRAIGHTS[centre]
}

/// From where a bishop may attack a square around `centre`.
#[inline]
pub(crate) fn diagonals(centre: Square) -> Bitboard {
    DIAGONALS[centre]
}
