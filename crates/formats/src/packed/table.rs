//! Codes by the eight bits that they begin, so that one look finds each.

use std::sync::LazyLock;

use keiko_shogi::{Piece, PieceKind};

use super::bits::BitReader;
use super::codes::{Codes, EMPTY, HCP, KINDS, PACKED_SFEN};
use super::{BYTES, Packing};

/// What stands in the codes of a packing: with each thing, the length of its code in bits.
pub(super) struct Table {
    pub(super) board: [OnSquare; 256],
    /// Of what is not on the board: a piece in hand, or a kind that is missing.
    pub(super) rest: [Option<(Rest, u8)>; 256],
}

/// What a square holds. All squares are read alike, without branches on what stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnSquare {
    pub(super) piece: Option<Piece>,
    /// The index of the unpromoted kind; 7 of nothing.
    pub(super) kind: u8,
    /// Bits of the code; 0 if there is no such code.
    pub(super) len: u8,
}

/// A piece that is not on the board.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest {
    InHand(Piece),
    Missing(PieceKind),
}

static TABLES: [LazyLock<Table>; 2] =
    [LazyLock::new(|| Table::new(&HCP)), LazyLock::new(|| Table::new(&PACKED_SFEN))];

impl Table {
    pub(super) fn of(packing: Packing) -> &'static Self {
        match packing {
            Packing::Hcp => &TABLES[0],
            Packing::PackedSfen => &TABLES[1],
        }
    }

    /// No code is longer than eight bits.
    fn new(codes: &Codes) -> Self {
        let none = OnSquare { piece: None, kind: 7, len: 0 };
        let mut table = Self { board: [none; 256], rest: [None; 256] };
        for byte in 0..=u8::MAX {
            let reader = || {
                let mut bytes = [0; BYTES];
                bytes[0] = byte;
                BitReader::new(&bytes)
            };
            let mut bits = reader();
            let empty = bits.take_code(EMPTY);
            let piece = if empty { None } else { codes.board.take(&mut bits) };
            if empty || piece.is_some() {
                let kind = piece.map_or(7, |piece| piece.kind.unpromoted().index() as u8);
                let len = bits.position() as u8;
                table.board[usize::from(byte)] = OnSquare { piece, kind, len };
            }
            let mut bits = reader();
            let missing = codes.missing.iter().position(|&code| bits.take_code(code));
            let rest = match missing {
                Some(place) => Some(Rest::Missing(KINDS[place])),
                None => codes.hand.take(&mut bits).map(Rest::InHand),
            };
            table.rest[usize::from(byte)] = rest.map(|rest| (rest, bits.position() as u8));
        }
        table
    }
}
