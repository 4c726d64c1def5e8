//! Mates in one.

mod confirm;
mod far;
mod net;
mod ring;

use super::Position;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::{Bitboard, Move, MoveList, PieceKind, Square};

use net::MatingNet;
use ring::Ring;

impl Position {
    /// A legal move that mates at once, if there is one. The search is complete: drops (never of a
    /// pawn), non-promotions and discovered checks included.
    pub fn mate_in_one(&self) -> Option<Move> {
        let king = self.king(!self.side_to_move)?;
        if self.unsettled {
            return self.mate_beside_a_check();
        }
        let search = MateSearch { position: self, net: MatingNet::new(self, king) };
        search.near().or_else(|| search.far()).or_else(|| search.discovered())
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

/// Tries the moves that may mate.
struct MateSearch<'a> {
    position: &'a Position,
    net: MatingNet,
}

/// Where the side to move may arrive with a piece other than the king.
struct Arrivals {
    moves: Bitboard,
    drops: Bitboard,
    /// Own pieces that are pinned.
    pinned: Bitboard,
}

impl MateSearch<'_> {
    /// Everything, or what answers the check.
    fn arrivals(&self) -> Arrivals {
        let position = self.position;
        let us = position.side_to_move;
        let checkers = position.checkers;
        let pinned = position.pinned(us);
        let taken = position.pieces(us) | Bitboard::of(self.net.king);
        let (moves, drops) = match (position.king(us), checkers.first()) {
            (Some(_), Some(_)) if checkers.is_many() => (Bitboard::EMPTY, Bitboard::EMPTY),
            (Some(king), Some(checker)) => {
                let inside = between(king, checker);
                (inside | checkers, inside)
            }
            _ => (Bitboard::FULL - taken, Bitboard::FULL - position.occupied()),
        };
        Arrivals { moves, drops, pinned }
    }

    /// The squares to which the piece of `kind` on `from` may go.
    fn targets(&self, kind: PieceKind, from: Square, arrivals: &Arrivals) -> Bitboard {
        let position = self.position;
        let us = position.side_to_move;
        let to = attacks::attacks(kind, us, from, position.occupied()) & arrivals.moves;
        match position.king(us) {
            Some(king) if arrivals.pinned.contains(from) => to & line_through(king, from),
            _ => to,
        }
    }

    /// Mates by a piece that arrives beside the king.
    #[inline]
    fn near(&self) -> Option<Move> {
        if self.net.opening.near.is_empty() {
            return None;
        }
        let arrivals = self.arrivals();
        self.near_drops(&arrivals).or_else(|| self.near_moves(&arrivals))
    }

    fn near_drops(&self, arrivals: &Arrivals) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let chances = self.net.plain.near.on(Ring::new(king, arrivals.drops & attacks::king(king)));
        if chances.is_empty() {
            return None;
        }
        let hand = position.hand(us);
        for kind in PieceKind::HAND {
            if kind == PieceKind::Pawn || !hand.has(kind) {
                continue;
            }
            for (to, _) in chances.of(kind).iter(king) {
                if self.mates(None, to, kind) {
                    return Some(Move::drop(kind, to));
                }
            }
        }
        None
    }

    fn near_moves(&self, arrivals: &Arrivals) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let around = Ring::new(king, arrivals.moves & attacks::king(king));
        for (to, ring) in self.net.opening.near.on(around).squares().iter(king) {
            let attackers = position.attackers_to(to, us);
            for from in attackers - position.kind(PieceKind::King) {
                let Some(piece) = position.piece_at(from) else { continue };
                let chances = self.net.flights_without(from).near;
                let may = |kind| chances.of(kind).meets(ring);
                let promoted = piece
                    .kind
                    .promoted()
                    .filter(|&kind| may(kind) && (from.is_in_zone(us) || to.is_in_zone(us)));
                let plain = may(piece.kind) && !piece.kind.is_dead_end(us, to);
                if promoted.is_none() && !plain || !self.may_go(from, to, arrivals) {
                    continue;
                }
                if promoted.is_some_and(|kind| self.mates(Some(from), to, kind)) {
                    return Some(Move::promotion(from, to));
                }
                if plain && self.mates(Some(from), to, piece.kind) {
                    return Some(Move::normal(from, to));
                }
            }
        }
        None
    }

    /// Whether a piece may go from one square to the other as far as pins and discovered checks go;
    /// the latter have their own search.
    fn may_go(&self, from: Square, to: Square, arrivals: &Arrivals) -> bool {
        let stays_on_line = |king| line_through(king, from).contains(to);
        let own_king = self.position.king(self.position.side_to_move);
        (!arrivals.pinned.contains(from) || own_king.is_none_or(stays_on_line))
            && (!self.net.unmasking.contains(from) || stays_on_line(self.net.king))
    }

    /// Mates by leaving a line onto the king.
    #[inline]
    fn discovered(&self) -> Option<Move> {
        self.net.unmasking.iter().find_map(|from| self.discovered_by(from))
    }

    #[inline(never)]
    fn discovered_by(&self, from: Square) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let kind = position.piece_at(from)?.kind;
        let off = Bitboard::FULL - line_through(self.net.king, from);
        if kind == PieceKind::King {
            return self.king_moves(from, off);
        }
        let left = self.net.flights_without(from).squares;
        let lifted = position.occupied() - Bitboard::of(from) - Bitboard::of(self.net.king);
        let covers = |kind, to| (left - attacks::attacks(kind, us, to, lifted)).is_empty();
        for to in self.targets(kind, from, &self.arrivals()) & off {
            let promotes = from.is_in_zone(us) || to.is_in_zone(us);
            if let Some(promoted) = kind.promoted()
                && promotes
                && covers(promoted, to)
                && self.mates_when_played(Move::promotion(from, to))
            {
                return Some(Move::promotion(from, to));
            }
            if !kind.is_dead_end(us, to)
                && covers(kind, to)
                && self.mates_when_played(Move::normal(from, to))
            {
                return Some(Move::normal(from, to));
            }
        }
        None
    }

    /// Tries the moves of a king that opens a line.
    fn king_moves(&self, from: Square, off: Bitboard) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let without = position.occupied() ^ Bitboard::of(from);
        let to = (attacks::king(from) & off) - position.pieces(us);
        to.iter().find_map(|to| {
            let mv = Move::normal(from, to);
            let safe = !position.is_attacked_with(to, !us, without);
            (safe && self.mates_when_played(mv)).then_some(mv)
        })
    }
}
