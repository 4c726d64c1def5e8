//! Mate in one.

use super::Position;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::{Bitboard, Color, Move, PieceKind, Square};

impl Position {
    /// A legal move that mates at once, if there is one. The search is complete: drops (never of a
    /// pawn), non-promotions and discovered checks included.
    pub fn mate_in_one(&self) -> Option<Move> {
        let king = self.king(!self.side_to_move)?;
        let mut search = MateSearch { position: self, scratch: None };
        search.drops(king).or_else(|| search.board_moves(king))
    }
}

/// Tries the moves that give check, on a copy that is made for the first of them.
struct MateSearch<'a> {
    position: &'a Position,
    scratch: Option<Position>,
}

impl MateSearch<'_> {
    fn is_mate(&mut self, mv: Move) -> bool {
        let scratch = self.scratch.get_or_insert_with(|| self.position.clone());
        let undo = scratch.do_move(mv);
        let mate = !scratch.has_legal_move();
        scratch.undo_move(mv, undo);
        mate
    }

    /// Where the side to move may drop or arrive with a piece other than the king, and where only
    /// drops may: everything, or what answers the check.
    fn arrivals(&self) -> (Bitboard, Bitboard) {
        let position = self.position;
        let us = position.side_to_move;
        let checkers = position.checkers;
        let empty = !position.occupied();
        match (position.king(us), checkers.first()) {
            (Some(_), Some(_)) if checkers.is_many() => (Bitboard::EMPTY, Bitboard::EMPTY),
            (Some(king), Some(checker)) => {
                let inside = between(king, checker);
                (inside | checkers, inside)
            }
            _ => {
                let enemy_king = position.pieces_of(!us, PieceKind::King);
                (!(position.pieces(us) | enemy_king), empty)
            }
        }
    }

    fn drops(&mut self, king: Square) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let (_, empty) = self.arrivals();
        let hand = position.hand(us);
        let occupied = position.occupied();
        for kind in PieceKind::HAND {
            if kind == PieceKind::Pawn || !hand.has(kind) {
                continue;
            }
            let to = attacks::attacks(kind, !us, king, occupied)
                & empty
                & !Bitboard::far_ranks(us, kind.dead_ranks());
            for to in to {
                let mv = Move::drop(kind, to);
                if self.is_mate(mv) {
                    return Some(mv);
                }
            }
        }
        None
    }

    fn board_moves(&mut self, king: Square) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let (arrivals, _) = self.arrivals();
        let occupied = position.occupied();
        let pinned = position.pinned(us);
        let unmasking = position.blockers(!us) & position.pieces(us);
        for from in position.pieces(us) {
            let Some(piece) = position.piece_at(from) else { continue };
            let mut to = attacks::attacks(piece.kind, us, from, occupied);
            let opens =
                if unmasking.contains(from) { !line_through(king, from) } else { Bitboard::EMPTY };
            if piece.kind == PieceKind::King {
                to &= !position.pieces(us) & opens;
                let without = occupied ^ Bitboard::of(from);
                for to in to {
                    let mv = Move::normal(from, to);
                    if !position.is_attacked_with(to, !us, without) && self.is_mate(mv) {
                        return Some(mv);
                    }
                }
                continue;
            }
            to &= arrivals;
            if pinned.contains(from)
                && let Some(own) = position.king(us)
            {
                to &= line_through(own, from);
            }
            if to.is_empty() {
                continue;
            }
            if let Some(mv) = self.piece_checks(king, Mover { from, kind: piece.kind, to, opens }) {
                return Some(mv);
            }
        }
        None
    }

    /// Tries the checks of one piece other than the king.
    fn piece_checks(&mut self, king: Square, mover: Mover) -> Option<Move> {
        let us = self.position.side_to_move;
        let without = self.position.occupied() ^ Bitboard::of(mover.from);
        let Mover { from, kind, to, opens } = mover;
        if let Some(promoted) = kind.promoted() {
            let direct = attacks::attacks(promoted, !us, king, without);
            let promoting = promotion_targets(us, from, to);
            for to in promoting & (direct | opens) {
                let mv = Move::promotion(from, to);
                if self.is_mate(mv) {
                    return Some(mv);
                }
            }
        }
        let direct = attacks::attacks(kind, !us, king, without);
        for to in to & (direct | opens) & !Bitboard::far_ranks(us, kind.dead_ranks()) {
            let mv = Move::normal(from, to);
            if self.is_mate(mv) {
                return Some(mv);
            }
        }
        None
    }
}

/// A piece that may give check: where it may go, and from which of these squares it opens a line.
struct Mover {
    from: Square,
    kind: PieceKind,
    to: Bitboard,
    opens: Bitboard,
}

fn promotion_targets(us: Color, from: Square, to: Bitboard) -> Bitboard {
    if from.is_in_zone(us) { to } else { to & Bitboard::zone(us) }
}
