//! The codes of pieces. A colour bit (1 for White) follows those on the board and in hand, and on the
//! board a promotion bit, but for golds.

use keiko_shogi::PieceKind;

/// Fixed bits, lowest first in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    pub(super) bits: u32,
    pub(super) len: u32,
}

/// The kinds in the order of hands and missing pieces.
pub(super) const KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

pub(super) const BOARD: [Code; 7] = [
    Code { bits: 0b01, len: 2 },
    Code { bits: 0b0011, len: 4 },
    Code { bits: 0b0111, len: 4 },
    Code { bits: 0b1011, len: 4 },
    Code { bits: 0b01111, len: 5 },
    Code { bits: 0b01_1111, len: 6 },
    Code { bits: 0b11_1111, len: 6 },
];

pub(super) const HAND: [Code; 7] = [
    Code { bits: 0b00, len: 2 },
    Code { bits: 0b0001, len: 4 },
    Code { bits: 0b0011, len: 4 },
    Code { bits: 0b0101, len: 4 },
    Code { bits: 0b0111, len: 4 },
    Code { bits: 0b01_1111, len: 6 },
    Code { bits: 0b11_1111, len: 6 },
];

pub(super) const BOX: [Code; 7] = [
    Code { bits: 0b010, len: 3 },
    Code { bits: 0b01001, len: 5 },
    Code { bits: 0b01011, len: 5 },
    Code { bits: 0b01101, len: 5 },
    Code { bits: 0b11101, len: 5 },
    Code { bits: 0b000_1111, len: 7 },
    Code { bits: 0b010_1111, len: 7 },
];

/// The place in [`KINDS`] of an unpromoted kind that is no king.
pub(super) fn place(kind: PieceKind) -> usize {
    KINDS.iter().position(|&it| it == kind).expect("every kind but the king has a code")
}
