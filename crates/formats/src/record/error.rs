//! What can be wrong with a record.

use keiko_shogi::{ParsePositionError, SfenError};
use thiserror::Error;

use crate::GameLineError;
use crate::text::excerpt;

/// Why a text is no record of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// The bytes are no text.
    #[error("the bytes are neither UTF-8 nor Shift-JIS")]
    Encoding,
    /// There is something else than the format has there.
    #[error("expected {expected}, found {found:?}")]
    Expected {
        /// What the format has there.
        expected: &'static str,
        /// What was found, or its beginning.
        found: String,
    },
    /// The start position is none.
    #[error("bad start position: {0}")]
    Start(#[from] SfenError),
    /// The text of a move does not fit the position.
    #[error("move {number}, {text:?}: {problem}")]
    Move {
        /// Number of the move in the record, from 1.
        number: u32,
        /// The move as it was written, or its beginning.
        text: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The record breaks off.
    #[error("the record ends before {0}")]
    Incomplete(&'static str),
    /// A line of a list of games or positions is wrong.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// A game line is wrong.
    #[error(transparent)]
    Line(#[from] GameLineError),
}

impl RecordError {
    pub(crate) fn expected(expected: &'static str, found: &str) -> Self {
        Self::Expected { expected, found: excerpt(found) }
    }
}
