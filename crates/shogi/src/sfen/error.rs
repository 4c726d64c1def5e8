//! What can be wrong with SFEN text.

use thiserror::Error;

use crate::{Color, PieceKind, Square};

/// Why a text is not the SFEN of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SfenError {
    /// A field is missing: `placement`, `side to move` or `hands`.
    #[error("missing {0}")]
    MissingField(&'static str),
    /// There is text after the move number.
    #[error("unexpected text after the move number: {0:?}")]
    TrailingText(String),
    /// The placement has not nine ranks.
    #[error("the placement has {0} ranks instead of 9")]
    RankCount(usize),
    /// A rank does not describe nine squares.
    #[error("rank {rank} has {squares} squares instead of 9")]
    RankLength {
        /// The rank's letter, `a` to `i`.
        rank: char,
        /// Squares that its text describes.
        squares: usize,
    },
    /// A character is neither a piece nor a number of empty squares.
    #[error("unknown piece {letter:?} on rank {rank}")]
    UnknownPiece {
        /// The rank's letter, `a` to `i`.
        rank: char,
        /// The character.
        letter: char,
    },
    /// A `+` is not followed by a piece that promotes.
    #[error("rank {rank} has a `+` before {found:?}, which does not promote")]
    BadPromotion {
        /// The rank's letter, `a` to `i`.
        rank: char,
        /// What follows the `+`; empty at the end of a rank.
        found: String,
    },
    /// The side to move is neither `b` nor `w`.
    #[error("unknown side to move {0:?}: expected `b` or `w`")]
    SideToMove(String),
    /// A character of the hands is neither a piece that can be held nor a count.
    #[error("unknown piece in hand {0:?}")]
    UnknownHandPiece(char),
    /// A count in the hands is zero, too large, or not followed by a piece.
    #[error("bad count {0:?} in the hands")]
    HandCount(String),
    /// The move number is not a positive number.
    #[error("bad move number {0:?}: expected a positive number")]
    MoveNumber(String),
    /// There are more pieces of a kind than a set has.
    #[error("{count} pieces of the kind {kind:?}, but a set has {in_set}")]
    TooManyPieces {
        /// The kind before promotion.
        kind: PieceKind,
        /// How many there are on the board and in the hands.
        count: u32,
        /// How many a set has.
        in_set: u32,
    },
    /// A side has two kings.
    #[error("{0} has two kings")]
    TwoKings(Color),
    /// A side has two unpromoted pawns on one file.
    #[error("{color} has two unpromoted pawns on file {file}")]
    Nifu {
        /// The side.
        color: Color,
        /// The file, 1 to 9.
        file: u8,
    },
    /// A piece stands where it could never move.
    #[error("the {kind:?} of {color} on {square} could never move")]
    DeadEnd {
        /// The side.
        color: Color,
        /// The kind of the piece.
        kind: PieceKind,
        /// Where it stands.
        square: Square,
    },
    /// The side that has just moved is in check.
    #[error("{0} is in check, but it is the other side's turn")]
    OpponentInCheck(Color),
}
