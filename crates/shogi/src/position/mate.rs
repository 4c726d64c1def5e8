//! Mate in one.

mod net;

use super::Position;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

use net::MatingNet;

impl Position {
    /// A legal move that mates at once, if there is one. The search is complete: drops (never of a
    /// pawn), non-promotions and discovered checks included.
    pub fn mate_in_one(&self) -> Option<Move> {
        let king = self.king(!self.side_to_move)?;
        if self.unsettled {
            return self.mate_beside_a_check();
        }
        let net = MatingNet::new(self, king);
        if net.is_torn(self) {
            return None;
        }
        let mut search = MateSearch { position: self, net, scratch: None };
        search.drops().or_else(|| search.board_moves())
    }

    /// A legal move after which the enemy has no answer, where it is in check already, as only
    /// problems and fouls have it.
    fn mate_beside_a_check(&self) -> Option<Move> {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let mut scratch = self.clone();
        moves.into_iter().find(|&mv| {
            let undo = scratch.do_any_move(mv);
            let mate = scratch.in_check() && !scratch.has_legal_move();
            scratch.undo_move(mv, undo);
            mate
        })
    }
}

/// Tries the moves that may mate, on a copy that is made for the first of them.
struct MateSearch<'a> {
    position: &'a Position,
    net: MatingNet,
    scratch: Option<Position>,
}

impl MateSearch<'_> {
    /// Whether a legal move that gives check mates.
    fn is_mate(&mut self, mv: Move) -> bool {
        let scratch = self.scratch.get_or_insert_with(|| self.position.clone());
        let undo = scratch.do_move(mv);
        let mate = !scratch.has_legal_move();
        scratch.undo_move(mv, undo);
        mate
    }

    /// Where the side to move may arrive with a piece other than the king, and where only drops
    /// may: everything, or what answers the check.
    fn arrivals(&self) -> (Bitboard, Bitboard) {
        let position = self.position;
        let us = position.side_to_move;
        let checkers = position.checkers;
        match (position.king(us), checkers.first()) {
            (Some(_), Some(_)) if checkers.is_many() => (Bitboard::EMPTY, Bitboard::EMPTY),
            (Some(king), Some(checker)) => {
                let inside = between(king, checker);
                (inside | checkers, inside)
            }
            _ => {
                let taken = position.pieces(us) | Bitboard::of(self.net.king);
                (Bitboard::FULL - taken, Bitboard::FULL - position.occupied())
            }
        }
    }

    fn drops(&mut self) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let (_, empty) = self.arrivals();
        let hand = position.hand(us);
        for kind in PieceKind::HAND {
            let to = self.net.drops(kind) & empty;
            if to.is_empty() || kind == PieceKind::Pawn || !hand.has(kind) {
                continue;
            }
            for to in to - Bitboard::far_ranks(us, kind.dead_ranks()) {
                let mv = Move::drop(kind, to);
                if !self.is_captured(to, position.occupied()) && self.is_mate(mv) {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// Whether a piece that arrives on `to` may be taken by an unpinned piece other than the king,
    /// when exactly the squares of `occupied` are taken and the move neither pins nor unpins.
    fn is_captured(&self, to: Square, occupied: Bitboard) -> bool {
        let position = self.position;
        let them = !position.side_to_move;
        let capturers = position.attackers_with(to, them, occupied) - Bitboard::of(self.net.king);
        !capturers.is_empty() && !(capturers - position.pinned(them)).is_empty()
    }

    fn board_moves(&mut self) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let (arrivals, _) = self.arrivals();
        let pinned = position.pinned(us);
        for from in self.net.movers(position, arrivals) {
            let Some(piece) = position.piece_at(from) else { continue };
            let opens = if self.net.unmasks(from) {
                Bitboard::FULL - line_through(self.net.king, from)
            } else {
                Bitboard::EMPTY
            };
            if piece.kind == PieceKind::King {
                if let Some(mv) = self.king_moves(from, opens) {
                    return Some(mv);
                }
                continue;
            }
            let plain = self.net.moves(from, piece.kind) | opens;
            let promotions = match piece.kind.promoted() {
                Some(kind) => self.net.moves(from, kind) | opens,
                None => Bitboard::EMPTY,
            };
            if (plain | promotions).is_empty() {
                continue;
            }
            let mut to = attacks::attacks(piece.kind, us, from, position.occupied()) & arrivals;
            if pinned.contains(from)
                && let Some(own) = position.king(us)
            {
                to &= line_through(own, from);
            }
            let promotions = promotions & promotion_targets(us, from, to);
            let plain = plain & (to - Bitboard::far_ranks(us, piece.kind.dead_ranks()));
            if (promotions | plain).is_empty() {
                continue;
            }
            if let Some(mv) = self.piece_moves(from, promotions, plain) {
                return Some(mv);
            }
        }
        None
    }

    /// Tries the moves of a king that opens a line.
    fn king_moves(&mut self, from: Square, opens: Bitboard) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let without = position.occupied() ^ Bitboard::of(from);
        let to = (attacks::king(from) & opens) - position.pieces(us);
        to.iter().find_map(|to| {
            let mv = Move::normal(from, to);
            let safe = !position.is_attacked_with(to, !us, without);
            (safe && self.is_mate(mv)).then_some(mv)
        })
    }

    /// Tries the checks of one piece other than the king.
    fn piece_moves(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let without = position.occupied() ^ Bitboard::of(from);
        let opens_a_line = position.is_slid_to(from, us);
        for to in promotions | plain {
            if !opens_a_line {
                let held = position.attackers_with(to, us, without) - Bitboard::of(from);
                let near = attacks::king(self.net.king).contains(to);
                if near && held.is_empty() || self.is_captured(to, without) {
                    continue;
                }
            }
            let promotion = Move::promotion(from, to);
            if promotions.contains(to) && self.is_mate(promotion) {
                return Some(promotion);
            }
            let mv = Move::normal(from, to);
            if plain.contains(to) && self.is_mate(mv) {
                return Some(mv);
            }
        }
        None
    }
}

fn promotion_targets(us: Color, from: Square, to: Bitboard) -> Bitboard {
    if from.is_in_zone(us) { to } else { to & Bitboard::zone(us) }
}
