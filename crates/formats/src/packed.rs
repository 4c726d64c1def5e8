//! Positions in 32 bytes: the `HuffmanCodedPos` of Apery and dlshogi, and YaneuraOu's `PackedSfen`.
//!
//! A stream of 256 bits, bit `k` in byte `k / 8` at place `k % 8`: the side to move (1 bit, 1 for
//! White), the squares of Black's and White's king (7 bits each, lowest first), a code for each of the
//! other 79 squares in order, a code for each piece in hand (Black's first, then White's, each pawns,
//! lances, knights, silvers, golds, bishops, rooks), and a code for each piece that is missing from the
//! set, in the same order. A position with both kings always takes exactly 256 bits. The move number is
//! not kept. The two differ in the codes alone.

use keiko_shogi::{Color, Piece, PieceKind, Position, Setup, SfenError, Square};
use thiserror::Error;

mod bits;
mod codes;
mod table;

use bits::{BitReader, BitWriter};
use codes::{Codes, HCP, KINDS, PACKED_SFEN};
use table::{Rest, Table};

/// The bytes of one position.
pub const BYTES: usize = 32;

/// Why a position has no such bytes, or bytes are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedError {
    /// A king is missing, or stands on no square, or both stand on one.
    #[error("a position of 32 bytes needs both kings, on two squares")]
    Kings,
    /// The bits at this place are no code.
    #[error("no piece has the code at bit {0}")]
    Code(usize),
    /// The codes end before or after the last bit, or there are too many or few pieces of a kind.
    #[error("the pieces are not those of one set")]
    Set,
    /// The position breaks the rules.
    #[error(transparent)]
    Position(#[from] SfenError),
}

/// Why bytes are no list of positions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackedListError {
    /// There is no position.
    #[error("the list of positions is empty")]
    Empty,
    /// The length is not a multiple of 32.
    #[error("{0} bytes are no whole number of positions of 32 bytes")]
    Length(usize),
    /// A position is none.
    #[error("position {number} (from 1): {source}")]
    Position {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        source: PackedError,
    },
}

/// One of the two sets of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// `HuffmanCodedPos`, of files of start positions (`.hcp`), hcpe and hcpe3.
    Hcp,
    /// `PackedSfen`, of psv.
    PackedSfen,
}

impl Packing {
    fn codes(self) -> &'static Codes {
        match self {
            Packing::Hcp => &HCP,
            Packing::PackedSfen => &PACKED_SFEN,
        }
    }

    /// The bytes of `position`.
    ///
    /// # Errors
    ///
    /// [`PackedError::Kings`] if a king is missing.
    pub fn encode(self, position: &Position) -> Result<[u8; BYTES], PackedError> {
        let codes = self.codes();
        let mut bits = BitWriter::default();
        bits.put(u32::from(position.side_to_move() == Color::White), 1);
        for color in Color::ALL {
            let king = position.king(color).ok_or(PackedError::Kings)?;
            bits.put(king.index() as u32, 7);
        }
        for square in Square::all() {
            match position.piece_at(square) {
                None => bits.put_code(codes::EMPTY),
                Some(piece) if piece.kind == PieceKind::King => {}
                Some(piece) => codes.board.put(&mut bits, piece),
            }
        }
        for color in Color::ALL {
            for kind in KINDS {
                for _ in 0..position.hand(color).count(kind) {
                    codes.hand.put(&mut bits, Piece::new(color, kind));
                }
            }
        }
        for (place, &kind) in KINDS.iter().enumerate() {
            for _ in count(position, kind)..kind.in_set() {
                bits.put_code(codes.missing[place]);
            }
        }
        bits.finish().ok_or(PackedError::Set)
    }

    /// The position of these bytes. What is not on the board may come in any order.
    ///
    /// # Errors
    ///
    /// If they are not those of a position.
    pub fn decode(self, bytes: &[u8; BYTES]) -> Result<Position, PackedError> {
        let mut bits = BitReader::new(bytes);
        let white = bits.take(1).ok_or(PackedError::Set)? == 1;
        let mut kings = [None; 2];
        for king in &mut kings {
            let index = bits.take(7).ok_or(PackedError::Set)?;
            *king = Some(Square::from_index(index as u8).ok_or(PackedError::Kings)?);
        }
        if kings[0] == kings[1] {
            return Err(PackedError::Kings);
        }
        let table = Table::of(self);
        let mut setup = Setup::EMPTY;
        setup.side_to_move = if white { Color::White } else { Color::Black };
        // One for each kind in hand, and one for nothing.
        let mut counts = [0_u32; 8];
        let kings = kings.map(|king| king.map_or(Square::COUNT, Square::index));
        for (index, square) in setup.board.iter_mut().enumerate() {
            if index == kings[0] || index == kings[1] {
                let color = if index == kings[0] { Color::Black } else { Color::White };
                *square = Some(Piece::new(color, PieceKind::King));
            } else {
                let on = &table.board[usize::from(bits.next_byte())];
                if on.len == 0 || !bits.skip(on.len.into()) {
                    return Err(PackedError::Code(bits.position()));
                }
                counts[usize::from(on.kind)] += 1;
                *square = on.piece;
            }
        }
        while !bits.is_empty() {
            match take(table, &mut bits)? {
                Rest::Missing(kind) => counts[kind.index()] += 1,
                Rest::InHand(piece) => {
                    counts[piece.kind.index()] += 1;
                    setup.hold(piece.color, piece.kind, 1);
                }
            }
        }
        if PieceKind::HAND.iter().any(|kind| counts[kind.index()] != kind.in_set()) {
            return Err(PackedError::Set);
        }
        Ok(setup.position()?)
    }

    /// The positions of a list, such as a file of start positions.
    ///
    /// # Errors
    ///
    /// If there is none, or the first that is wrong.
    pub fn decode_list(self, bytes: &[u8]) -> Result<Vec<Position>, PackedListError> {
        let (positions, rest) = bytes.as_chunks::<BYTES>();
        if !rest.is_empty() {
            return Err(PackedListError::Length(bytes.len()));
        }
        if positions.is_empty() {
            return Err(PackedListError::Empty);
        }
        let decode = |(number, bytes)| {
            self.decode(bytes).map_err(|source| PackedListError::Position { number, source })
        };
        (1..).zip(positions).map(decode).collect()
    }
}

/// Pieces of a kind on the board, promoted or not, and in both hands.
fn count(position: &Position, kind: PieceKind) -> u32 {
    let promoted = kind.promoted().map_or(0, |kind| position.kind(kind).len());
    let in_hands = Color::ALL.map(|color| u32::from(position.hand(color).count(kind)));
    position.kind(kind).len() + promoted + in_hands[0] + in_hands[1]
}

/// What the next code stands for.
fn take(table: &Table, bits: &mut BitReader) -> Result<Rest, PackedError> {
    let at = bits.position();
    let found = table.rest[usize::from(bits.next_byte())];
    let code = found.filter(|&(_, len)| bits.skip(len.into()));
    code.map(|(it, _)| it).ok_or(PackedError::Code(at))
}
