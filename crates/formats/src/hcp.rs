//! Positions in 32 bytes: Apery's and dlshogi's `HuffmanCodedPos`.
//!
//! A stream of 256 bits, bit `k` in byte `k / 8` at place `k % 8`: the side to move (1 bit, 1 for
//! White), the squares of Black's and White's king (7 bits each, lowest first), a code for each of the
//! other 79 squares in order, a code for each piece in hand (Black's first, then White's, each pawns,
//! lances, knights, silvers, golds, bishops, rooks), and a code for each piece that is missing from the
//! set, in the same order. A position with both kings always takes exactly 256 bits. The move number is
//! not kept.

use keiko_shogi::{Color, PieceKind, Position, SfenError, Square};
use thiserror::Error;

mod bits;
mod codes;

use bits::{BitReader, BitWriter};
use codes::{BOARD, BOX, Code, HAND, KINDS};

/// The bytes of one position.
pub const BYTES: usize = 32;

/// Why a position has no such bytes, or bytes are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HcpError {
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
pub enum HcpListError {
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
        source: HcpError,
    },
}

/// The bytes of `position`.
///
/// # Errors
///
/// [`HcpError::Kings`] if a king is missing.
pub fn encode(position: &Position) -> Result<[u8; BYTES], HcpError> {
    let mut bits = BitWriter::default();
    bits.put(u32::from(position.side_to_move() == Color::White), 1);
    for color in Color::ALL {
        let king = position.king(color).ok_or(HcpError::Kings)?;
        bits.put(king.index() as u32, 7);
    }
    for square in Square::all() {
        match position.piece_at(square) {
            None => bits.put(0, 1),
            Some(piece) if piece.kind == PieceKind::King => {}
            Some(piece) => {
                let kind = piece.kind.unpromoted();
                bits.put_code(&BOARD[codes::place(kind)], Some(piece.color));
                if kind != PieceKind::Gold {
                    bits.put(u32::from(piece.kind.is_promoted()), 1);
                }
            }
        }
    }
    for color in Color::ALL {
        for (place, &kind) in KINDS.iter().enumerate() {
            for _ in 0..position.hand(color).count(kind) {
                bits.put_code(&HAND[place], Some(color));
            }
        }
    }
    for (place, &kind) in KINDS.iter().enumerate() {
        for _ in count(position, kind)..kind.in_set() {
            bits.put_code(&BOX[place], None);
        }
    }
    bits.finish().ok_or(HcpError::Set)
}

/// The position of these bytes.
///
/// # Errors
///
/// If they are not those of a position.
pub fn decode(bytes: &[u8; BYTES]) -> Result<Position, HcpError> {
    let mut bits = BitReader::new(bytes);
    let white = bits.take(1).ok_or(HcpError::Set)? == 1;
    let mut kings = [None; 2];
    for king in &mut kings {
        let index = bits.take(7).ok_or(HcpError::Set)?;
        *king = Some(Square::from_index(index as u8).ok_or(HcpError::Kings)?);
    }
    if kings[0] == kings[1] {
        return Err(HcpError::Kings);
    }
    let mut counts = [0_u32; 7];
    let mut board: [[String; 9]; 9] = Default::default();
    for square in Square::all() {
        let text = &mut board[usize::from(square.rank())][usize::from(square.file())];
        if let Some(color) = Color::ALL.into_iter().find(|c| kings[c.index()] == Some(square)) {
            text.push(letter(PieceKind::King, color));
        } else if let Some((place, color)) = take_board_piece(&mut bits)? {
            counts[place] += 1;
            let kind = KINDS[place];
            let promoted = kind != PieceKind::Gold && bits.take(1).ok_or(HcpError::Set)? == 1;
            text.push_str(if promoted { "+" } else { "" });
            text.push(letter(kind, color));
        } else {
            text.push('1');
        }
    }
    let mut hands = [[0_u32; 7]; 2];
    while !bits.is_empty() {
        let (place, color) = take_other_piece(&mut bits)?;
        counts[place] += 1;
        if let Some(color) = color {
            hands[color.index()][place] += 1;
        }
    }
    if (0..7).any(|place| counts[place] != KINDS[place].in_set()) {
        return Err(HcpError::Set);
    }
    let ranks = board.map(|rank| rank.into_iter().rev().collect::<String>());
    let side = if white { 'w' } else { 'b' };
    let sfen = format!("{} {side} {} 1", ranks.join("/"), hands_text(&hands));
    Ok(Position::from_sfen(&sfen)?.0)
}

/// The positions of a list, such as a file of start positions.
///
/// # Errors
///
/// If there is none, or the first that is wrong.
pub fn decode_list(bytes: &[u8]) -> Result<Vec<Position>, HcpListError> {
    let (positions, rest) = bytes.as_chunks::<BYTES>();
    if !rest.is_empty() {
        return Err(HcpListError::Length(bytes.len()));
    }
    if positions.is_empty() {
        return Err(HcpListError::Empty);
    }
    let decode =
        |(number, bytes)| decode(bytes).map_err(|source| HcpListError::Position { number, source });
    (1..).zip(positions).map(decode).collect()
}

/// Pieces of a kind on the board, promoted or not, and in both hands.
fn count(position: &Position, kind: PieceKind) -> u32 {
    let promoted = kind.promoted().map_or(0, |kind| position.kind(kind).len());
    let in_hands = Color::ALL.map(|color| u32::from(position.hand(color).count(kind)));
    position.kind(kind).len() + promoted + in_hands[0] + in_hands[1]
}

/// The place in [`KINDS`] and the side of the piece on the next square, if there is one.
fn take_board_piece(bits: &mut BitReader<'_>) -> Result<Option<(usize, Color)>, HcpError> {
    if bits.take_code(&Code { bits: 0, len: 1 }) {
        return Ok(None);
    }
    let at = bits.position();
    let place = BOARD.iter().position(|code| bits.take_code(code)).ok_or(HcpError::Code(at))?;
    Ok(Some((place, take_color(bits)?)))
}

/// The place in [`KINDS`] of the next piece in hand, with its side, or of the next missing one.
fn take_other_piece(bits: &mut BitReader<'_>) -> Result<(usize, Option<Color>), HcpError> {
    if let Some(place) = HAND.iter().position(|code| bits.take_code(code)) {
        return Ok((place, Some(take_color(bits)?)));
    }
    let at = bits.position();
    let place = BOX.iter().position(|code| bits.take_code(code)).ok_or(HcpError::Code(at))?;
    Ok((place, None))
}

fn take_color(bits: &mut BitReader<'_>) -> Result<Color, HcpError> {
    let white = bits.take(1).ok_or(HcpError::Set)? == 1;
    Ok(if white { Color::White } else { Color::Black })
}

fn letter(kind: PieceKind, color: Color) -> char {
    let letter = kind.letter();
    if color == Color::Black { letter } else { letter.to_ascii_lowercase() }
}

fn hands_text(hands: &[[u32; 7]; 2]) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for (&kind, &count) in KINDS.iter().zip(&hands[color.index()]) {
            if count > 0 {
                text.push_str(&format!("{count}{}", letter(kind, color)));
            }
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}
