//! The eight lines through a square.

use crate::square_map::SquareMap;
use crate::{Bitboard, Square};

/// A direction as Black sees the board: up is towards rank a, left towards file 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Direction {
    /// Towards rank a.
    Up = 0,
    /// Towards rank i.
    Down = 1,
    /// Towards file 9.
    Left = 2,
    /// Towards file 1.
    Right = 3,
    /// Towards file 9 and rank a.
    UpLeft = 4,
    /// Towards file 1 and rank i.
    DownRight = 5,
    /// Towards file 9 and rank i.
    DownLeft = 6,
    /// Towards file 1 and rank a.
    UpRight = 7,
}

impl Direction {
    /// All directions in the order of their numbers.
    pub(crate) const ALL: [Direction; 8] = [
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
        Direction::UpLeft,
        Direction::DownRight,
        Direction::DownLeft,
        Direction::UpRight,
    ];

    /// The direction back.
    #[inline]
    pub(crate) const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize ^ 1) & 7]
    }

    /// Whether the line runs along a file or a rank.
    #[inline]
    pub(crate) const fn is_straight(self) -> bool {
        (self as u8) < 4
    }
}

/// Step of (file, rank) of each direction.
pub(crate) const STEPS: [(i8, i8); 8] =
    [(0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, 1), (1, 1), (-1, -1)];

static RAYS: SquareMap<[Bitboard; 8]> = {
    let mut table = [[Bitboard::EMPTY; 8]; 128];
    let mut i = 0;
    while i < 81 {
        let mut d = 0;
        while d < 8 {
            let (file_step, rank_step) = STEPS[d];
            let mut file = (i / 9) as i8 + file_step;
            let mut rank = (i % 9) as i8 + rank_step;
            let mut bits = 0u128;
            while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                bits |= 1 << (file * 9 + rank);
                file += file_step;
                rank += rank_step;
            }
            table[i][d] = Bitboard::from_bits(bits);
            d += 1;
        }
        i += 1;
    }
    SquareMap(table)
};

/// Number of the direction from the first square to the second; 8 if no line joins them.
static DIRECTIONS: SquareMap<SquareMap<u8>> = {
    let mut table = [const { SquareMap([8u8; 128]) }; 128];
    let mut i = 0;
    while i < 81 {
        let mut d = 0;
        while d < 8 {
            let (file_step, rank_step) = STEPS[d];
            let mut file = (i / 9) as i8 + file_step;
            let mut rank = (i % 9) as i8 + rank_step;
            while file >= 0 && file < 9 && rank >= 0 && rank < 9 {
                table[i].0[(file * 9 + rank) as usize] = d as u8;
                file += file_step;
                rank += rank_step;
            }
            d += 1;
        }
        i += 1;
    }
    SquareMap(table)
};

/// All squares from `square` in `direction`, without `square`.
#[inline]
pub(crate) fn ray(direction: Direction, square: Square) -> Bitboard {
    RAYS[square][direction as usize]
}

/// The direction from one square to another on the same line.
#[inline]
pub(crate) fn direction(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL.get(usize::from(DIRECTIONS[from][to])).copied()
}

/// The squares strictly between two squares of one line; empty if no line joins them.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    match direction(a, b) {
        Some(d) => ray(d, a) & ray(d.opposite(), b),
        None => Bitboard::EMPTY,
    }
}

/// The whole line through two squares without the first one; empty if no line joins them.
#[inline]
pub(crate) fn line_through(a: Square, b: Square) -> Bitboard {
    match direction(a, b) {
        Some(d) => ray(d, a) | ray(d.opposite(), a),
        None => Bitboard::EMPTY,
    }
}
