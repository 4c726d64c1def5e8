//! Mates in one.

mod chances;
mod confirm;
mod discovered;
mod far;
mod near;
mod net;
mod ring;

use super::Position;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::{Bitboard, Move, MoveList, PieceKind, Square};

use net::MatingNet;

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

    /// Whether a piece may go from one square to the other as far as pins and discovered checks go;
    /// the latter have their own search.
    fn may_go(&self, from: Square, to: Square, arrivals: &Arrivals) -> bool {
        let stays_on_line = |king| line_through(king, from).contains(to);
        let own_king = self.position.king(self.position.side_to_move);
        (!arrivals.pinned.contains(from) || own_king.is_none_or(stays_on_line))
            && (!self.net.unmasking.contains(from) || stays_on_line(self.net.king))
    }
}
