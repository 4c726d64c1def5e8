//! A piece on the board.

use std::fmt;

use crate::{Color, PieceKind};

/// A piece with its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// A piece of `color` and `kind`.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece { color, kind }
    }
}

impl fmt::Display for Piece {
    /// Writes SFEN letters: upper case for Black, `+` before a promoted piece.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.is_promoted() {
            f.write_str("+")?;
        }
        let letter = self.kind.letter();
        match self.color {
            Color::Black => write!(f, "{letter}"),
            Color::White => write!(f, "{}", letter.to_ascii_lowercase()),
        }
    }
}
