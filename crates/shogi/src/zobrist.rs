//! Hash keys.

use crate::square_map::SquareMap;
use crate::{Color, Hand, Piece, Square};

/// A step of SplitMix64: the next state and its output.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

static PIECES: [SquareMap<u64>; 32] = {
    let mut table = [const { SquareMap([0u64; 128]) }; 32];
    let mut state = 0x6b65_696b_6f00_0001;
    let mut piece = 0;
    while piece < 32 {
        let mut i = 0;
        while i < 81 {
            let (next, key) = split_mix(state);
            state = next;
            table[piece].0[i] = key;
            i += 1;
        }
        piece += 1;
    }
    table
};

/// Changes with every change of the side to move.
pub(crate) const SIDE: u64 = split_mix(0x6b65_696b_6f00_0002).1;

/// The part of the key of a piece on a square.
#[inline]
pub(crate) fn piece_key(piece: Piece, square: Square) -> u64 {
    PIECES[piece.kind.index() << 1 | piece.color.index()][square]
}

/// The part of the key of both hands: a one-to-one mix of the packed counts.
#[inline]
pub(crate) fn hands_key(hands: [Hand; 2]) -> u64 {
    let [black, white] = hands.map(|hand| u64::from(hand.packed()));
    let mut z = (black | white << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z ^ z >> 32
}

/// The part of the key of the side to move.
#[inline]
pub(crate) const fn side_key(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => SIDE,
    }
}
