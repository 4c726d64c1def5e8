//! The squares in reach of a piece on an empty board, with the moves to them.

use super::direction::STEPS;
use crate::Square;
use crate::bitboard::Bitboard;
use crate::square_map::SquareMap;

/// What a piece on one square reaches on the empty board: up to `EIGHTS` times eight squares.
#[repr(C, align(16))]
pub(crate) struct Reach<const EIGHTS: usize> {
    /// The bits of the move to each square, without promotion, in the order of the squares.
    pub(crate) moves: [[u16; 8]; EIGHTS],
    pub(crate) squares: Bitboard,
    /// How many of the squares are in the first word.
    pub(crate) in_first_word: u8,
    /// How many of the squares come before the piece's own.
    pub(crate) before: u8,
    /// The square of the piece.
    pub(crate) from: Square,
}

type Steps = [(i8, i8)];

/// The bits of the squares in up to `most` steps of each kind.
const fn reached(from: usize, steps: &Steps, most: usize) -> u128 {
    let mut bits = 0;
    let mut s = 0;
    while s < steps.len() {
        let (mut file, mut rank) = ((from / 9) as i8, (from % 9) as i8);
        let mut count = 0;
        while count < most {
            file += steps[s].0;
            rank += steps[s].1;
            if file < 0 || file > 8 || rank < 0 || rank > 8 {
                break;
            }
            bits |= 1 << (file * 9 + rank);
            count += 1;
        }
        s += 1;
    }
    bits
}

/// The reach from every square in one step of each kind in `near` and in up to eight of each in
/// `far`.
const fn table<const EIGHTS: usize>(near: &Steps, far: &Steps) -> SquareMap<Reach<EIGHTS>> {
    let mut table = [const {
        Reach {
            moves: [[0; 8]; EIGHTS],
            squares: Bitboard::EMPTY,
            in_first_word: 0,
            before: 0,
            from: Square::SQ_1A,
        }
    }; 128];
    let mut from = 0;
    while from < Square::COUNT {
        let mut bits = reached(from, near, 1) | reached(from, far, 8);
        let squares = Bitboard::from_bits(bits);
        table[from].squares = squares;
        table[from].in_first_word = squares.words()[0].count_ones() as u8;
        table[from].before = (bits & ((1 << from) - 1)).count_ones() as u8;
        table[from].from = Square::at(from as u8);
        let mut i = 0;
        while bits != 0 {
            table[from].moves[i / 8][i % 8] = (from as u16) << 7 | bits.trailing_zeros() as u16;
            bits &= bits - 1;
            i += 1;
        }
        from += 1;
    }
    SquareMap(table)
}

const FILE: &Steps = &[STEPS[0], STEPS[1]];
const RANK: &Steps = &[STEPS[2], STEPS[3]];
const FALLING: &Steps = &[STEPS[4], STEPS[5]];
const RISING: &Steps = &[STEPS[6], STEPS[7]];
const BOTH_STRAIGHT: &Steps = &[STEPS[0], STEPS[1], STEPS[2], STEPS[3]];
const BOTH_DIAGONAL: &Steps = &[STEPS[4], STEPS[5], STEPS[6], STEPS[7]];

static AROUND: SquareMap<Reach<1>> = table(&STEPS, &[]);
static JUMPS: SquareMap<Reach<1>> = table(&[(-1, -2), (1, -2), (-1, 2), (1, 2)], &[]);
static STRAIGHT: SquareMap<Reach<2>> = table(&[], BOTH_STRAIGHT);
static DIAGONAL: SquareMap<Reach<2>> = table(&[], BOTH_DIAGONAL);
static DRAGONS: SquareMap<Reach<3>> = table(BOTH_DIAGONAL, BOTH_STRAIGHT);
static HORSES: SquareMap<Reach<3>> = table(BOTH_STRAIGHT, BOTH_DIAGONAL);
/// Along the file, the rank, and the diagonals that fall and rise towards file 1.
static LINES: [SquareMap<Reach<1>>; 4] =
    [table(&[], FILE), table(&[], RANK), table(&[], FALLING), table(&[], RISING)];

/// The eight squares around: all that king, gold and silver reach.
#[inline]
pub(crate) fn around(from: Square) -> &'static Reach<1> {
    &AROUND[from]
}

/// The jumps of the knights of both sides.
#[inline]
pub(crate) fn jumps(from: Square) -> &'static Reach<1> {
    &JUMPS[from]
}

/// File and rank, for rooks.
#[inline]
pub(crate) fn straight(from: Square) -> &'static Reach<2> {
    &STRAIGHT[from]
}

/// Both diagonals, for bishops.
#[inline]
pub(crate) fn diagonal(from: Square) -> &'static Reach<2> {
    &DIAGONAL[from]
}

/// The reach of a dragon.
#[inline]
pub(crate) fn dragon(from: Square) -> &'static Reach<3> {
    &DRAGONS[from]
}

/// The reach of a horse.
#[inline]
pub(crate) fn horse(from: Square) -> &'static Reach<3> {
    &HORSES[from]
}

/// The line of two opposite directions, numbered like half the directions; 0 is the file.
#[inline]
pub(crate) fn line(number: usize, from: Square) -> &'static Reach<1> {
    &LINES[number][from]
}
