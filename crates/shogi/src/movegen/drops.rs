//! Drops.

use super::sink::Sink;
use crate::attacks;
use crate::{Bitboard, Color, PieceKind, Position};

/// The kinds that may be dropped anywhere.
const ANYWHERE: [PieceKind; 4] =
    [PieceKind::Silver, PieceKind::Bishop, PieceKind::Rook, PieceKind::Gold];

/// Drops onto the squares of `empty`.
#[inline(always)]
pub(super) fn drops<S: Sink>(position: &Position, us: Color, empty: Bitboard, sink: &mut S) {
    let hand = position.hand(us);
    if hand.is_empty() || empty.is_empty() {
        return;
    }
    if hand.has(PieceKind::Pawn) {
        sink.drops(&[PieceKind::Pawn], pawn_drops(position, us, empty));
    }
    if hand.has(PieceKind::Lance) {
        sink.drops(&[PieceKind::Lance], empty - Bitboard::far_ranks(us, 1));
    }
    if hand.has(PieceKind::Knight) {
        sink.drops(&[PieceKind::Knight], empty - Bitboard::far_ranks(us, 2));
    }
    let mut kinds = ANYWHERE;
    let mut count = 0;
    for kind in ANYWHERE {
        kinds[count] = kind;
        count += usize::from(hand.has(kind));
    }
    if count > 0 {
        sink.drops(&kinds[..count], empty);
    }
}

/// Where a pawn may be dropped: no double pawn, not on the last rank, and no mate.
#[inline]
fn pawn_drops(position: &Position, us: Color, empty: Bitboard) -> Bitboard {
    let pawns = position.pieces_of(us, PieceKind::Pawn);
    let mut to = pawns.pawn_drop_mask(us) & empty;
    if let Some(king) = position.king(!us) {
        let front = attacks::pawn(!us, king) & to;
        if let Some(square) = front.first()
            && position.is_drop_pawn_mate(square)
        {
            to.remove(square);
        }
    }
    to
}
