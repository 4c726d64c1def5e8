//! Attacks of the pieces that step.

use crate::square_map::SquareMap;
use crate::{Bitboard, Color, Square};

type Steps = [(i8, i8)];

const PAWN: &Steps = &[(0, -1)];
const KNIGHT: &Steps = &[(-1, -2), (1, -2)];
const SILVER: &Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: &Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const KING: &Steps = &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The table of a piece whose steps for Black are given as (file, rank); `sign` -1 turns the board.
const fn table(steps: &Steps, sign: i8) -> SquareMap<Bitboard> {
    let mut table = [Bitboard::EMPTY; 128];
    let mut i = 0;
    while i < 81 {
        let mut bits = 0u128;
        let mut s = 0;
        while s < steps.len() {
            let file = (i / 9) as i8 + sign * steps[s].0;
            let rank = (i % 9) as i8 + sign * steps[s].1;
            if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                bits |= 1 << (file * 9 + rank);
            }
            s += 1;
        }
        table[i] = Bitboard::from_bits(bits);
        i += 1;
    }
    SquareMap(table)
}

static PAWNS: [SquareMap<Bitboard>; 2] = [table(PAWN, 1), table(PAWN, -1)];
static KNIGHTS: [SquareMap<Bitboard>; 2] = [table(KNIGHT, 1), table(KNIGHT, -1)];
static SILVERS: [SquareMap<Bitboard>; 2] = [table(SILVER, 1), table(SILVER, -1)];
static GOLDS: [SquareMap<Bitboard>; 2] = [table(GOLD, 1), table(GOLD, -1)];
static KINGS: SquareMap<Bitboard> = table(KING, 1);

/// Attacks of a pawn.
#[inline]
pub(crate) fn pawn(color: Color, square: Square) -> Bitboard {
    PAWNS[color.index()][square]
}

/// Attacks of a knight.
#[inline]
pub(crate) fn knight(color: Color, square: Square) -> Bitboard {
    KNIGHTS[color.index()][square]
}

/// Attacks of a silver.
#[inline]
pub(crate) fn silver(color: Color, square: Square) -> Bitboard {
    SILVERS[color.index()][square]
}

/// Attacks of a gold and of all pieces that move like one.
#[inline]
pub(crate) fn gold(color: Color, square: Square) -> Bitboard {
    GOLDS[color.index()][square]
}

/// Attacks of a king.
#[inline]
pub(crate) fn king(square: Square) -> Bitboard {
    KINGS[square]
}
