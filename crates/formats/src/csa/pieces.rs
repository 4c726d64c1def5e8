//! Pieces and squares.

use keiko_shogi::{Color, PieceKind, Square};

/// The names in the order of [`PieceKind::ALL`].
const NAMES: [&str; PieceKind::COUNT] =
    ["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

pub(super) fn name(kind: PieceKind) -> &'static str {
    NAMES[kind.index()]
}

pub(super) fn kind(name: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|kind| NAMES[kind.index()] == name)
}

pub(super) const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

pub(super) const fn color(sign: u8) -> Option<Color> {
    match sign {
        b'+' => Some(Color::Black),
        b'-' => Some(Color::White),
        _ => None,
    }
}

/// The square of two digits: file and rank, from 1.
pub(super) fn square(text: &str) -> Option<Square> {
    let &[file @ b'1'..=b'9', rank @ b'1'..=b'9'] = text.as_bytes() else { return None };
    Some(Square::new(file - b'1', rank - b'1'))
}

pub(super) fn square_text(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}
