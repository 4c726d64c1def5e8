//! The two sides.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use thiserror::Error;

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Sente (先手): moves first in an even game, and plays towards rank a.
    Black = 0,
    /// Gote (後手), the giver (uwate) of a handicap game; plays towards rank i.
    White = 1,
}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opponent()
    }
}

impl fmt::Display for Color {
    /// Writes `black` or `white`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// The text names no side.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown side {0:?}: expected `black` or `white`")]
pub struct ParseColorError(String);

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        match text {
            "black" => Ok(Color::Black),
            "white" => Ok(Color::White),
            other => Err(ParseColorError(other.to_owned())),
        }
    }
}
