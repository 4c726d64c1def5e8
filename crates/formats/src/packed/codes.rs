//! The codes of pieces.

use keiko_shogi::{Color, Piece, PieceKind};

use super::bits::{BitReader, BitWriter};

/// Fixed bits, lowest first in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    pub(super) bits: u32,
    pub(super) len: u32,
}

/// The code of an empty square.
pub(super) const EMPTY: Code = Code { bits: 0, len: 1 };

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

/// The place in [`KINDS`] of an unpromoted kind that is no king.
fn place(kind: PieceKind) -> usize {
    KINDS.iter().position(|&it| it == kind).expect("every kind but the king has a code")
}

/// All codes of one packing.
#[derive(Debug)]
pub(super) struct Codes {
    pub(super) board: Pieces,
    pub(super) hand: Pieces,
    /// By kind as in [`KINDS`].
    pub(super) missing: [Code; 7],
}

/// Codes of pieces by kind as in [`KINDS`], with what follows each: a colour bit (1 for White), and a promotion bit (1
/// if it is promoted) for all kinds but gold.
#[derive(Debug)]
pub(super) struct Pieces {
    kinds: [Code; 7],
    promotion: Promotion,
}

/// Where the promotion bit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promotion {
    /// There is none.
    Never,
    BeforeColor,
    AfterColor,
}

impl Pieces {
    pub(super) fn put(&self, bits: &mut BitWriter, piece: Piece) {
        let kind = piece.kind.unpromoted();
        let promoted = u32::from(piece.kind.is_promoted());
        let place = place(kind);
        bits.put_code(self.kinds[place]);
        let promotion = if kind == PieceKind::Gold { Promotion::Never } else { self.promotion };
        if promotion == Promotion::BeforeColor {
            bits.put(promoted, 1);
        }
        bits.put(u32::from(piece.color == Color::White), 1);
        if promotion == Promotion::AfterColor {
            bits.put(promoted, 1);
        }
    }

    /// The next piece, unless there is no such code.
    pub(super) fn take(&self, bits: &mut BitReader) -> Option<Piece> {
        let kind = KINDS[self.kinds.iter().position(|&code| bits.take_code(code))?];
        let promotion = if kind == PieceKind::Gold { Promotion::Never } else { self.promotion };
        let mut promoted = promotion == Promotion::BeforeColor && bits.take(1)? == 1;
        let color = if bits.take(1)? == 1 { Color::White } else { Color::Black };
        promoted |= promotion == Promotion::AfterColor && bits.take(1)? == 1;
        Some(Piece::new(color, if promoted { kind.promoted()? } else { kind }))
    }
}

/// Those of Apery and dlshogi.
pub(super) const HCP: Codes = Codes {
    board: Pieces {
        kinds: [
            Code { bits: 0b01, len: 2 },
            Code { bits: 0b0011, len: 4 },
            Code { bits: 0b0111, len: 4 },
            Code { bits: 0b1011, len: 4 },
            Code { bits: 0b01111, len: 5 },
            Code { bits: 0b01_1111, len: 6 },
            Code { bits: 0b11_1111, len: 6 },
        ],
        promotion: Promotion::AfterColor,
    },
    hand: Pieces {
        kinds: [
            Code { bits: 0b00, len: 2 },
            Code { bits: 0b0001, len: 4 },
            Code { bits: 0b0011, len: 4 },
            Code { bits: 0b0101, len: 4 },
            Code { bits: 0b0111, len: 4 },
            Code { bits: 0b01_1111, len: 6 },
            Code { bits: 0b11_1111, len: 6 },
        ],
        promotion: Promotion::Never,
    },
    missing: [
        Code { bits: 0b010, len: 3 },
        Code { bits: 0b01001, len: 5 },
        Code { bits: 0b01011, len: 5 },
        Code { bits: 0b01101, len: 5 },
        Code { bits: 0b11101, len: 5 },
        Code { bits: 0b000_1111, len: 7 },
        Code { bits: 0b010_1111, len: 7 },
    ],
};

/// Those of YaneuraOu. A piece in hand has a promotion bit too, which is 0; with 1 it is a missing piece, but for golds.
pub(super) const PACKED_SFEN: Codes = Codes {
    board: Pieces {
        kinds: [
            Code { bits: 0b01, len: 2 },
            Code { bits: 0b0011, len: 4 },
            Code { bits: 0b1011, len: 4 },
            Code { bits: 0b0111, len: 4 },
            Code { bits: 0b01111, len: 5 },
            Code { bits: 0b01_1111, len: 6 },
            Code { bits: 0b11_1111, len: 6 },
        ],
        promotion: Promotion::BeforeColor,
    },
    hand: Pieces {
        kinds: [
            Code { bits: 0b00, len: 2 },
            Code { bits: 0b0001, len: 4 },
            Code { bits: 0b0101, len: 4 },
            Code { bits: 0b0011, len: 4 },
            Code { bits: 0b0111, len: 4 },
            Code { bits: 0b00_1111, len: 6 },
            Code { bits: 0b01_1111, len: 6 },
        ],
        promotion: Promotion::Never,
    },
    missing: [
        Code { bits: 0b010, len: 3 },
        Code { bits: 0b01001, len: 5 },
        Code { bits: 0b01101, len: 5 },
        Code { bits: 0b01011, len: 5 },
        Code { bits: 0b11011, len: 5 },
        Code { bits: 0b010_1111, len: 7 },
        Code { bits: 0b011_1111, len: 7 },
    ],
};
