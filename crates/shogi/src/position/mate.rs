//! Mate in one.

use super::Position;
use crate::attacks;
use crate::attacks::direction::{between, line_through};
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

impl Position {
    /// A legal move that mates at once, if there is one. The search is complete: drops (never of a
    /// pawn), non-promotions and discovered checks included.
    pub fn mate_in_one(&self) -> Option<Move> {
        let king = self.king(!self.side_to_move)?;
        if self.unsettled {
            return self.mate_beside_a_check();
        }
        let checks = self.check_squares(king);
        let mut search = MateSearch { position: self, king, checks, flights: None, scratch: None };
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

    /// From where each kind of the side to move gives check to `king`. The origin of the move need
    /// not be cleared: a slider that checks through its own origin would check already.
    fn check_squares(&self, king: Square) -> [Bitboard; PieceKind::COUNT] {
        let them = !self.side_to_move;
        let occupied = self.occupied();
        let gold = attacks::gold(them, king);
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let around = attacks::king(king);
        let lance = rook & attacks::lance_rays(them, king);
        [
            attacks::pawn(them, king),
            lance,
            attacks::knight(them, king),
            attacks::silver(them, king),
            bishop,
            rook,
            gold,
            Bitboard::EMPTY,
            gold,
            gold,
            gold,
            gold,
            bishop | around,
            rook | around,
        ]
    }
}

/// Tries the moves that give check, on a copy that is made for the first of them.
struct MateSearch<'a> {
    position: &'a Position,
    /// The enemy king.
    king: Square,
    checks: [Bitboard; PieceKind::COUNT],
    /// Where the enemy king could go if it were its turn.
    flights: Option<Bitboard>,
    scratch: Option<Position>,
}

impl MateSearch<'_> {
    /// The squares around the enemy king that hold no piece of its side and that nobody attacks,
    /// with the king lifted off the board.
    fn flights(&mut self) -> Bitboard {
        let (position, king) = (self.position, self.king);
        *self.flights.get_or_insert_with(|| {
            let us = position.side_to_move;
            let lifted = position.occupied() ^ Bitboard::of(king);
            let mut free = attacks::king(king) & !position.pieces(!us);
            for square in free {
                if position.is_attacked_with(square, us, lifted) {
                    free.remove(square);
                }
            }
            free
        })
    }

    /// Whether a piece of `kind` on `to` leaves the king no flight. Where no line is opened, a
    /// flight is lost to the moved piece alone; an unprotected piece is a flight too.
    fn takes_all_flights(&mut self, kind: PieceKind, to: Square, occupied: Bitboard) -> bool {
        let us = self.position.side_to_move;
        let flights = self.flights();
        let lifted = occupied & !Bitboard::of(self.king);
        (flights & !attacks::attacks(kind, us, to, lifted)).is_empty()
    }

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

    fn drops(&mut self) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let (_, empty) = self.arrivals();
        let hand = position.hand(us);
        let occupied = position.occupied();
        for kind in PieceKind::HAND {
            if kind == PieceKind::Pawn || !hand.has(kind) {
                continue;
            }
            let dead = Bitboard::far_ranks(us, kind.dead_ranks());
            let to = self.checks[kind.index()] & empty & !dead;
            for to in to {
                let mv = Move::drop(kind, to);
                if self.takes_all_flights(kind, to, occupied) && self.is_mate(mv) {
                    return Some(mv);
                }
            }
        }
        None
    }

    fn board_moves(&mut self) -> Option<Move> {
        let (position, king) = (self.position, self.king);
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
            if let Some(mv) = self.piece_checks(Mover { from, kind: piece.kind, to, opens }) {
                return Some(mv);
            }
        }
        None
    }

    /// Tries the checks of one piece other than the king.
    fn piece_checks(&mut self, mover: Mover) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let Mover { from, kind, to, opens } = mover;
        let without = position.occupied() ^ Bitboard::of(from);
        let checks = |kind: PieceKind| self.checks[kind.index()] | opens;
        let promoted = kind.promoted().unwrap_or(kind);
        let promotions = match kind.promoted() {
            Some(promoted) => promotion_targets(us, from, to) & checks(promoted),
            None => Bitboard::EMPTY,
        };
        let plain = to & checks(kind) & !Bitboard::far_ranks(us, kind.dead_ranks());
        if (promotions | plain).is_empty() {
            return None;
        }
        let opens_a_line = position.is_slid_to(from, us);
        for to in promotions {
            let mv = Move::promotion(from, to);
            if (opens_a_line || self.takes_all_flights(promoted, to, without)) && self.is_mate(mv) {
                return Some(mv);
            }
        }
        for to in plain {
            let mv = Move::normal(from, to);
            if (opens_a_line || self.takes_all_flights(kind, to, without)) && self.is_mate(mv) {
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
