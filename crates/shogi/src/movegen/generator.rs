//! The generator.

use super::drops::drops;
use super::sink::Sink;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::{Bitboard, Color, PieceKind, Position, Square};

/// Generates all legal moves of the side to move.
#[inline]
pub(super) fn generate<S: Sink>(position: &Position, sink: &mut S) {
    match position.side_to_move() {
        Color::Black => generate_for::<S, true>(position, sink),
        Color::White => generate_for::<S, false>(position, sink),
    }
}

/// The side as a constant, so that each side gets its own code.
#[inline]
const fn color<const BLACK: bool>() -> Color {
    if BLACK { Color::Black } else { Color::White }
}

fn generate_for<S: Sink, const BLACK: bool>(position: &Position, sink: &mut S) {
    let us = color::<BLACK>();
    let Some(king) = position.king(us) else {
        let empty = !position.occupied();
        board_moves::<S, BLACK>(position, Bitboard::EMPTY, targets(position, us), sink);
        if !sink.is_satisfied() {
            drops(position, us, empty, sink);
        }
        return;
    };
    let checkers = position.checkers();
    king_moves(position, king, sink);
    if checkers.is_many() || sink.is_satisfied() {
        return;
    }
    let mut arrivals = targets(position, us);
    let mut empty = !position.occupied();
    if let Some(checker) = checkers.first() {
        empty = between(king, checker);
        arrivals &= empty | checkers;
    }
    board_moves::<S, BLACK>(position, position.pinned(us), arrivals, sink);
    if !sink.is_satisfied() {
        drops(position, us, empty, sink);
    }
}

/// Where a piece of `us` may arrive: not on an own piece, and never on the enemy king.
#[inline]
fn targets(position: &Position, us: Color) -> Bitboard {
    let mut targets = !position.pieces(us);
    if let Some(king) = position.king(!us) {
        targets.remove(king);
    }
    targets
}

#[inline]
fn king_moves<S: Sink>(position: &Position, king: Square, sink: &mut S) {
    let us = position.side_to_move();
    let without_king = position.occupied() ^ Bitboard::of(king);
    let mut safe = attacks::king(king) & targets(position, us);
    for to in safe {
        if position.is_attacked_with(to, !us, without_king) {
            safe.remove(to);
        }
    }
    sink.plain(king, safe);
}

/// Moves of everything but the king onto the squares of `arrivals`.
#[inline]
fn board_moves<S: Sink, const BLACK: bool>(
    position: &Position,
    pinned: Bitboard,
    arrivals: Bitboard,
    sink: &mut S,
) {
    let us = color::<BLACK>();
    let free = position.pieces(us) & !pinned;
    let occupied = position.occupied();

    let last_rank = Bitboard::far_ranks(us, 1);
    let pawns = (position.kind(PieceKind::Pawn) & free & !last_rank).forward(us) & arrivals;
    sink.pawn_promotions(us, pawns & Bitboard::zone(us));
    sink.pawns(us, pawns & !last_rank);
    if sink.is_satisfied() {
        return;
    }
    for from in position.kind(PieceKind::Lance) & free {
        let to = attacks::lance(us, from, occupied) & arrivals;
        sink.promotions(from, to & Bitboard::zone(us));
        sink.plain(from, to & !Bitboard::far_ranks(us, 1));
    }
    for from in position.kind(PieceKind::Knight) & free {
        let to = attacks::knight(us, from) & arrivals;
        sink.promotions(from, to & Bitboard::zone(us));
        sink.plain(from, to & !Bitboard::far_ranks(us, 2));
    }
    for from in position.kind(PieceKind::Silver) & free {
        let to = attacks::silver(us, from) & arrivals;
        sink.promotions(from, promotion_targets(us, from, to));
        sink.plain(from, to);
    }
    for from in position.gold_movers() & free {
        sink.plain(from, attacks::gold(us, from) & arrivals);
    }
    if sink.is_satisfied() {
        return;
    }
    for from in position.kind(PieceKind::Bishop) & free {
        let to = attacks::bishop(from, occupied) & arrivals;
        sink.promotions(from, promotion_targets(us, from, to));
        sink.plain(from, to);
    }
    for from in position.kind(PieceKind::Rook) & free {
        let to = attacks::rook(from, occupied) & arrivals;
        sink.promotions(from, promotion_targets(us, from, to));
        sink.plain(from, to);
    }
    for from in position.kind(PieceKind::Horse) & free {
        let to = attacks::bishop(from, occupied) | attacks::king(from);
        sink.plain(from, to & arrivals);
    }
    for from in position.kind(PieceKind::Dragon) & free {
        let to = attacks::rook(from, occupied) | attacks::king(from);
        sink.plain(from, to & arrivals);
    }
    for from in pinned {
        pinned_moves(position, from, arrivals, sink);
    }
}

/// The squares of `to` on which a piece that may promote on either end of its move does so.
#[inline]
fn promotion_targets(us: Color, from: Square, to: Bitboard) -> Bitboard {
    if from.is_in_zone(us) { to } else { to & Bitboard::zone(us) }
}

/// Moves of a pinned piece, along the line of the pin only.
fn pinned_moves<S: Sink>(position: &Position, from: Square, arrivals: Bitboard, sink: &mut S) {
    let us = position.side_to_move();
    let (Some(king), Some(piece)) = (position.king(us), position.piece_at(from)) else { return };
    let reach = attacks::attacks(piece.kind, us, from, position.occupied());
    let to = reach & arrivals & line_through(king, from);
    if piece.kind.promoted().is_some() {
        sink.promotions(from, promotion_targets(us, from, to));
    }
    sink.plain(from, to & !Bitboard::far_ranks(us, piece.kind.dead_ranks()));
}
