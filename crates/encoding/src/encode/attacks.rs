//! The 62 board planes: pieces, their attacks, and how often a square is attacked.

use keiko_shogi::{Bitboard, Color, PieceKind, Square, attacks};

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

#[inline]
fn put_side<const SIDE: usize>(view: &View, planes: &mut BoardPlanes) {
    let color = if SIDE == 0 { Color::Black } else { Color::White };
    let occupied = Bitboard::from_bits(view.occupied);
    let mut counts = [0; 3];
    for (index, kind) in PieceKind::ALL.into_iter().enumerate() {
        let squares = view.pieces[SIDE][index];
        planes.put(SIDE * 31 + index, squares);
        let attacked = if kind == PieceKind::Pawn {
            let attacked = pawn_attacks::<SIDE>(squares);
            count(&mut counts, attacked);
            attacked
        } else {
            let mut all = 0;
            let mut rest = squares;
            while rest != 0 {
                let square = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                let from = Square::from_index(square).expect("a set bit of a board is a square");
                let attacked = attacks(kind, color, from, occupied).bits();
                count(&mut counts, attacked);
                all |= attacked;
            }
            all
        };
        planes.put(SIDE * 31 + 14 + index, attacked);
    }
    for (index, squares) in counts.into_iter().enumerate() {
        planes.put(SIDE * 31 + 28 + index, squares);
    }
}

/// Pawns attack one square each, and no two of a side attack the same.
#[inline]
fn pawn_attacks<const SIDE: usize>(pawns: u128) -> u128 {
    if SIDE == 0 { (pawns & !ranks(0, 0)) >> 1 } else { (pawns & !ranks(8, 8)) << 1 }
}

/// Counts one more attack on each of `squares`: entry `n` holds what is attacked more than `n` times.
#[inline]
fn count(counts: &mut [u128; 3], squares: u128) {
    counts[2] |= counts[1] & squares;
    counts[1] |= counts[0] & squares;
    counts[0] |= squares;
}
