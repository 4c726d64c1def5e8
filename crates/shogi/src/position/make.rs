//! Making and taking back moves.

use super::{Position, Undo};
use crate::attacks;
use crate::attacks::direction::{Direction, direction};
use crate::{Bitboard, Color, Move, Piece, PieceKind, Square, zobrist};

impl Position {
    /// Plays a legal move.
    ///
    /// # Panics
    /// If the origin is empty. In debug builds also if the move is physically impossible.
    #[inline]
    pub fn do_move(&mut self, mv: Move) -> Undo {
        if self.unsettled {
            return self.do_any_move(mv);
        }
        let us = self.side_to_move;
        let (undo, kind) = self.shift_pieces(mv);
        self.checkers = match self.king(!us) {
            Some(king) => self.checkers_after(mv, kind, king, us),
            None => Bitboard::EMPTY,
        };
        undo
    }

    /// Plays a move of the side to move that is physically possible but may be a foul. A king
    /// cannot be captured.
    ///
    /// # Panics
    /// As [`do_move`](Position::do_move).
    pub fn do_any_move(&mut self, mv: Move) -> Undo {
        let (undo, _) = self.shift_pieces(mv);
        self.refresh_checkers();
        undo
    }

    /// Moves the pieces, turns the side to move, and returns what stands on the target.
    #[inline]
    fn shift_pieces(&mut self, mv: Move) -> (Undo, PieceKind) {
        let us = self.side_to_move;
        let to = mv.to();
        let mut undo = Undo {
            checkers: self.checkers,
            board_key: self.board_key,
            captured: None,
            unsettled: self.unsettled,
        };
        let kind = match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let piece = self.board[from.index()].expect("a piece stands on the origin");
                debug_assert_eq!(piece.color, us, "{mv} moves an own piece in {self:?}");
                self.board[from.index()] = None;
                self.toggle(from, piece);
                if let Some(captured) = self.board[to.index()] {
                    debug_assert_ne!(captured.color, us, "{mv} in {self:?}");
                    self.toggle(to, captured);
                    self.hands[us.index()].add(captured.kind);
                    undo.captured = Some(captured);
                }
                match piece.kind {
                    PieceKind::King => {
                        self.kings[us.index()] = Some(to);
                        PieceKind::King
                    }
                    kind if mv.is_promotion() => kind.promoted().unwrap_or(kind),
                    kind => kind,
                }
            }
            (None, Some(kind)) => {
                debug_assert!(self.board[to.index()].is_none(), "{mv} in {self:?}");
                self.hands[us.index()].take(kind);
                kind
            }
            (None, None) => unreachable!("a move has an origin or drops a piece"),
        };
        let piece = Piece::new(us, kind);
        self.board[to.index()] = Some(piece);
        self.toggle(to, piece);
        self.side_to_move = !us;
        self.board_key ^= zobrist::SIDE;
        (undo, kind)
    }

    /// Checks on `king` after `us` moved a piece, which is `kind` now: by the piece itself or by a
    /// slider behind its origin.
    #[inline]
    fn checkers_after(&self, mv: Move, kind: PieceKind, king: Square, us: Color) -> Bitboard {
        let occupied = self.occupied();
        let to = mv.to();
        let mut checkers = Bitboard::EMPTY;
        if attacks::attacks(kind, us, to, occupied).contains(king) {
            checkers = Bitboard::of(to);
        }
        if let Some(from) = mv.from()
            && let Some(line) = direction(king, from)
        {
            checkers |= self.slider_on_line(king, line, us, occupied);
        }
        checkers
    }

    /// The first piece from `king` along `line`, if it is a slider of `us` that attacks back.
    #[inline]
    pub(crate) fn slider_on_line(
        &self,
        king: Square,
        line: Direction,
        us: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut sliders =
            if line.is_straight() { self.straight_sliders(us) } else { self.diagonal_sliders(us) };
        let lance_line = match us {
            Color::Black => Direction::Down,
            Color::White => Direction::Up,
        };
        if line == lance_line {
            sliders |= self.pieces_of(us, PieceKind::Lance);
        }
        let candidates = attacks::direction::ray(line, king) & sliders;
        if candidates.is_empty() {
            return candidates;
        }
        attacks::along_line(line, king, occupied) & candidates
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// If the position is not the one after `mv`.
    #[inline]
    pub fn undo_move(&mut self, mv: Move, undo: Undo) {
        let us = !self.side_to_move;
        let to = mv.to();
        let piece = self.board[to.index()].take().expect("the moved piece stands on its target");
        self.toggle(to, piece);
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let kind = if mv.is_promotion() { piece.kind.unpromoted() } else { piece.kind };
                let piece = Piece::new(us, kind);
                self.board[from.index()] = Some(piece);
                self.toggle(from, piece);
                if kind == PieceKind::King {
                    self.kings[us.index()] = Some(from);
                }
                if let Some(captured) = undo.captured {
                    self.board[to.index()] = Some(captured);
                    self.toggle(to, captured);
                    self.hands[us.index()].take(captured.kind.unpromoted());
                }
            }
            (None, Some(kind)) => self.hands[us.index()].add(kind),
            (None, None) => unreachable!("a move has an origin or drops a piece"),
        }
        self.side_to_move = us;
        self.board_key = undo.board_key;
        self.checkers = undo.checkers;
        self.unsettled = undo.unsettled;
    }

    /// Hands the move to the other side without moving a piece, for fouls out of turn.
    pub(crate) fn pass(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.board_key ^= zobrist::SIDE;
        self.refresh_checkers();
    }
}
