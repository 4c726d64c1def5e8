//! The whole planes: hands, check, entering kings. Plane `p` is bit `p`.

use keiko_shogi::{Color, PieceKind};

use super::view::{CAMPS, View};

/// Kinds in hand in the order of the hand planes (gold before bishop), each with its number of
/// planes.
const HAND: [(PieceKind, u32); 7] = [
    (PieceKind::Pawn, 8),
    (PieceKind::Lance, 4),
    (PieceKind::Knight, 4),
    (PieceKind::Silver, 4),
    (PieceKind::Gold, 4),
    (PieceKind::Bishop, 2),
    (PieceKind::Rook, 2),
];

/// Planes 0..56 hold the hands in unary, 28 for each side: of `n` pieces the first `n` planes are
/// set, pawns beyond eight are not shown. Plane 56 is set when the side to move is in check.
#[inline]
pub(super) fn hands_and_check(view: &View, in_check: bool) -> u128 {
    let mut planes = u128::from(in_check) << 56;
    let mut first = 0;
    for hand in view.hands {
        for (kind, most) in HAND {
            let shown = hand[kind.index()].min(most);
            planes |= ((1 << shown) - 1) << first;
            first += most;
        }
    }
    planes
}

/// Planes 57..119, 31 for each side: its king is in the opponent's camp; one of ten for how many
/// pieces beside the king are missing there to make ten; one of twenty for how many points are
/// missing to declare (28 for Black, 27 for White by real colour). With more pieces or points than
/// needed none of the ten or twenty is set, as in dlshogi.
#[inline]
pub(super) fn entering_kings(view: &View) -> u128 {
    let mut planes = 0;
    for (side, color) in [view.side_to_move, view.side_to_move.opponent()].into_iter().enumerate() {
        let first = 57 + 31 * side;
        let camp = CAMPS[side];
        planes |= u128::from(view.king(side) & camp != 0) << first;

        let needed = if color == Color::Black { 28 } else { 27 };
        let pieces_missing = 10_u32.checked_sub((view.men(side) & camp).count_ones());
        let points = view.board_points(side, camp) + view.hand_points(side);
        let points_missing = u32::checked_sub(needed, points);
        planes |= one_of::<10>(pieces_missing) << (first + 1);
        planes |= one_of::<20>(points_missing) << (first + 11);
    }
    planes
}

/// The bit of a number below `END`, none for any other.
#[inline]
fn one_of<const END: u32>(number: Option<u32>) -> u128 {
    match number {
        Some(number) if number < END => 1 << number,
        _ => 0,
    }
}
