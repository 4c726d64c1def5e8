//! Who won.

use std::fmt;

use crate::Color;

/// The result of a game, never relative to a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Black won.
    BlackWins,
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The win of a side.
    #[inline]
    pub const fn win_for(color: Color) -> Outcome {
        match color {
            Color::Black => Outcome::BlackWins,
            Color::White => Outcome::WhiteWins,
        }
    }

    /// The side that won.
    #[inline]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::BlackWins => Some(Color::Black),
            Outcome::WhiteWins => Some(Color::White),
            Outcome::Draw => None,
        }
    }

    /// Its name: `black_wins`, `white_wins` or `draw`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::BlackWins => "black_wins",
            Outcome::WhiteWins => "white_wins",
            Outcome::Draw => "draw",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown outcome {0:?}: expected `black_wins`, `white_wins` or `draw`")]
pub struct ParseOutcomeError(String);

impl std::str::FromStr for Outcome {
    type Err = ParseOutcomeError;

    fn from_str(text: &str) -> Result<Outcome, ParseOutcomeError> {
        [Outcome::BlackWins, Outcome::WhiteWins, Outcome::Draw]
            .into_iter()
            .find(|outcome| outcome.name() == text)
            .ok_or_else(|| ParseOutcomeError(text.to_owned()))
    }
}
