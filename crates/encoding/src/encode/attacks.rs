//! The 62 board planes: pieces, their attacks, and how often a square is attacked.

use keiko_shogi::{Bitboard, Color, PieceKind, attacks};

use super::view::View;
use crate::bits::{BoardPlanes, ranks};

/// Writes 31 planes for each side: placement by kind, squares attacked by kind, squares attacked at
/// least once, twice, three times. Sliders stop at the first piece; a side's own pieces count as
/// attacked; pins are ignored.
#[inline]
pub(super) fn put_board_planes(view: &View, planes: &mut BoardPlanes) {
    put_side::<0>(view, planes);
    put_side::<1>(view, planes);
}

/// Calls a function for every kind of piece as a constant, so that each has its own code without
/// branches on the kind and shifts known when compiled.
macro_rules! for_each_kind {
    ($function:ident, $side:ident, $arguments:tt) => {
        for_each_kind!(@ $function, $side, $arguments, 0 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
    (@ $function:ident, $side:ident, $arguments:tt, $($kind:literal)*) => {
        $($function::<$side, $kind> $arguments;)*
    };
}

fn put_side<const SIDE: usize>(view: &View, planes: &mut BoardPlanes) {
    let mut counts = [Bitboard::EMPTY; 3];
    for_each_kind!(put_kind, SIDE, (view, planes, &mut counts));
    for (index, squares) in counts.into_iter().enumerate() {
        planes.put(SIDE * 31 + 28 + index, squares.bits());
    }
}

#[inline(always)]
fn put_kind<const SIDE: usize, const KIND: usize>(
    view: &View,
    planes: &mut BoardPlanes,
    counts: &mut [Bitboard; 3],
) {
    const { assert!(KIND < PieceKind::COUNT) };
    let (color, kind) = (Color::ALL[SIDE], PieceKind::ALL[KIND]);
    let squares = view.pieces[SIDE][KIND];
    planes.put(SIDE * 31 + KIND, squares);
    let mut attacked = Bitboard::EMPTY;
    if kind == PieceKind::Pawn {
        attacked = Bitboard::from_bits(pawn_attacks::<SIDE>(squares));
        count(counts, attacked);
    } else {
        for from in Bitboard::from_bits(squares) {
            let squares = attacks(kind, color, from, view.occupied);
            count(counts, squares);
            attacked |= squares;
        }
    }
    planes.put(SIDE * 31 + 14 + KIND, attacked.bits());
}

/// Pawns attack one square each, and no two of a side attack the same.
#[inline]
fn pawn_attacks<const SIDE: usize>(pawns: u128) -> u128 {
    if SIDE == 0 { (pawns & !ranks(0, 0)) >> 1 } else { (pawns & !ranks(8, 8)) << 1 }
}

/// Counts one more attack on each of `squares`: entry `n` holds what is attacked more than `n` times.
#[inline(always)]
fn count(counts: &mut [Bitboard; 3], squares: Bitboard) {
    counts[2] |= counts[1] & squares;
    counts[1] |= counts[0] & squares;
    counts[0] |= squares;
}
