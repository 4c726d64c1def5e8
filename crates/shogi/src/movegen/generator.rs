//! The generator.

use super::drops::drops;
use super::sink::Sink;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::attacks::reach;
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
    let mut arrivals = targets(position, us);
    let mut empty = Bitboard::FULL - position.occupied();
    let mut pinned = Bitboard::EMPTY;
    if let Some(king) = position.king(us) {
        let checkers = position.checkers();
        king_moves(position, king, us, arrivals, sink);
        if checkers.is_many() || sink.is_satisfied() {
            return;
        }
        if let Some(checker) = checkers.first() {
            empty = between(king, checker);
            arrivals &= empty | checkers;
        }
        pinned = position.pinned(us);
    }
    board_moves::<S, BLACK>(position, pinned, arrivals, sink);
    if !sink.is_satisfied() {
        drops(position, us, empty, sink);
    }
}

/// Where a piece of `us` may arrive: not on an own piece, and never on the enemy king.
#[inline]
fn targets(position: &Position, us: Color) -> Bitboard {
    let mut targets = Bitboard::FULL - position.pieces(us);
    if let Some(king) = position.king(!us) {
        targets.remove(king);
    }
    targets
}

#[inline(always)]
fn king_moves<S: Sink>(
    position: &Position,
    king: Square,
    us: Color,
    targets: Bitboard,
    sink: &mut S,
) {
    let near = attacks::king(king) & targets;
    if !near.is_empty() {
        sink.plain(reach::around(king), near - position.controlled_around(king, !us));
    }
}

/// Moves of everything but the king onto the squares of `arrivals`.
#[inline(always)]
fn board_moves<S: Sink, const BLACK: bool>(
    position: &Position,
    pinned: Bitboard,
    arrivals: Bitboard,
    sink: &mut S,
) {
    let us = color::<BLACK>();
    let free = position.pieces(us) - pinned;
    let occupied = position.occupied();

    let last_rank = Bitboard::far_ranks(us, 1);
    let pawns = (position.kind(PieceKind::Pawn) & (free - last_rank)).forward(us) & arrivals;
    sink.pawn_promotions(us, pawns & Bitboard::zone(us));
    sink.pawns(us, pawns - last_rank);
    if sink.is_satisfied() {
        return;
    }
    for from in position.kind(PieceKind::Lance) & free {
        let (reach, to) = (reach::line(0, from), attacks::lance(us, from, occupied) & arrivals);
        sink.promotions(reach, to & Bitboard::zone(us));
        sink.plain(reach, to - Bitboard::far_ranks(us, 1));
    }
    for from in position.kind(PieceKind::Knight) & free {
        let (reach, to) = (reach::jumps(from), attacks::knight(us, from) & arrivals);
        sink.promotions(reach, to & Bitboard::zone(us));
        sink.plain(reach, to - Bitboard::far_ranks(us, 2));
    }
    for from in position.kind(PieceKind::Silver) & free {
        let (reach, to) = (reach::around(from), attacks::silver(us, from) & arrivals);
        sink.promotions(reach, promotion_targets(us, from, to));
        sink.plain(reach, to);
    }
    for from in position.gold_movers() & free {
        sink.plain(reach::around(from), attacks::gold(us, from) & arrivals);
    }
    if sink.is_satisfied() {
        return;
    }
    for from in position.kind(PieceKind::Bishop) & free {
        let (reach, to) = (reach::diagonal(from), attacks::bishop(from, occupied) & arrivals);
        sink.promotions(reach, promotion_targets(us, from, to));
        sink.plain(reach, to);
    }
    for from in position.kind(PieceKind::Rook) & free {
        let (reach, to) = (reach::straight(from), attacks::rook(from, occupied) & arrivals);
        sink.promotions(reach, promotion_targets(us, from, to));
        sink.plain(reach, to);
    }
    for from in position.kind(PieceKind::Horse) & free {
        let to = attacks::bishop(from, occupied) | attacks::king(from);
        sink.plain(reach::horse(from), to & arrivals);
    }
    for from in position.kind(PieceKind::Dragon) & free {
        let to = attacks::rook(from, occupied) | attacks::king(from);
        sink.plain(reach::dragon(from), to & arrivals);
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
    let promotions = match piece.kind.promoted() {
        Some(_) => promotion_targets(us, from, to),
        None => Bitboard::EMPTY,
    };
    sink.few(from, to - Bitboard::far_ranks(us, piece.kind.dead_ranks()), promotions);
}
