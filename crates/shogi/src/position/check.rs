//! Whether a move gives check.

use super::Position;
use crate::attacks;
use crate::attacks::direction::{direction, line_through};
use crate::{Bitboard, Move, PieceKind};

impl Position {
    /// What stands on the target after a move of the side to move; `None` if its origin is empty.
    #[inline]
    pub(crate) fn kind_after(&self, mv: Move) -> Option<PieceKind> {
        match mv.from() {
            Some(from) => {
                let kind = self.piece_at(from)?.kind;
                Some(if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind })
            }
            None => mv.dropped(),
        }
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (Some(king), Some(kind)) = (self.king(!us), self.kind_after(mv)) else {
            return false;
        };
        let to = mv.to();
        let mut occupied = self.occupied();
        let Some(from) = mv.from() else {
            return attacks::attacks(kind, us, to, occupied).contains(king);
        };
        occupied.remove(from);
        occupied.insert(to);
        if attacks::attacks(kind, us, to, occupied).contains(king) {
            return true;
        }
        if line_through(king, from).contains(to) {
            return false;
        }
        direction(king, from)
            .is_some_and(|line| self.slider_on_line(king, line, us, occupied) != Bitboard::EMPTY)
    }
}
