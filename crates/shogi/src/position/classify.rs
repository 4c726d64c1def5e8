//! Why a move is illegal.

use super::Position;
use crate::attacks;
use crate::attacks::direction::line_through;
use crate::{Bitboard, Color, IllegalKind, Move, PieceKind, Square};

impl Position {
    /// Whether a move is legal: it is exactly if [`legal_moves`](Position::legal_moves) lists it.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.classify(mv).is_ok()
    }

    /// Tells why a move is not legal.
    ///
    /// When several kinds apply, the first of this order is given: impossible move, out of turn,
    /// double pawn, dead end, drop-pawn mate, king left in check.
    ///
    /// # Errors
    /// The kind of the foul. Repetition is no matter of a single position, hence never
    /// [`IllegalKind::PerpetualCheck`]; and a [`Move`] cannot express a promoted drop.
    pub fn classify(&self, mv: Move) -> Result<(), IllegalKind> {
        let us = self.side_to_move;
        match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let color = self.piece_at(from).ok_or(IllegalKind::ImpossibleMove)?.color;
                if !self.is_physical_board_move(mv, color) {
                    return Err(IllegalKind::ImpossibleMove);
                }
                if color != us {
                    return Err(IllegalKind::OutOfTurn);
                }
                self.classify_board_move(mv, from)
            }
            (None, Some(kind)) => {
                if !self.hand(us).has(kind) || self.piece_at(mv.to()).is_some() {
                    return Err(IllegalKind::ImpossibleMove);
                }
                self.classify_drop(kind, mv.to())
            }
            (None, None) => Err(IllegalKind::ImpossibleMove),
        }
    }

    /// Whether a piece of `color` stands on the origin and moves as its kind does: along free
    /// lines, not onto an own piece or a king, and promoting only where it may.
    fn is_physical_board_move(&self, mv: Move, color: Color) -> bool {
        let (Some(from), to) = (mv.from(), mv.to()) else { return false };
        let Some(piece) = self.piece_at(from) else { return false };
        let promotes_rightly = !mv.is_promotion()
            || piece.kind.promoted().is_some() && (from.is_in_zone(color) || to.is_in_zone(color));
        promotes_rightly
            && attacks::attacks(piece.kind, color, from, self.occupied()).contains(to)
            && self.piece_at(to).is_none_or(|p| p.color != color && p.kind != PieceKind::King)
    }

    fn classify_board_move(&self, mv: Move, from: Square) -> Result<(), IllegalKind> {
        let us = self.side_to_move;
        let to = mv.to();
        let kind = self.kind_after(mv).ok_or(IllegalKind::ImpossibleMove)?;
        if kind.is_dead_end(us, to) {
            return Err(IllegalKind::DeadEnd);
        }
        let Some(king) = self.king(us) else { return Ok(()) };
        let safe = if kind == PieceKind::King {
            !self.is_attacked_with(to, !us, self.occupied() ^ Bitboard::of(from))
        } else {
            self.answers_check(king, to)
                && (!self.pinned(us).contains(from) || line_through(king, from).contains(to))
        };
        if safe { Ok(()) } else { Err(IllegalKind::KingInCheck) }
    }

    fn classify_drop(&self, kind: PieceKind, to: Square) -> Result<(), IllegalKind> {
        let us = self.side_to_move;
        if kind == PieceKind::Pawn
            && !(self.pieces_of(us, PieceKind::Pawn) & Bitboard::file(to.file())).is_empty()
        {
            return Err(IllegalKind::Nifu);
        }
        if kind.is_dead_end(us, to) {
            return Err(IllegalKind::DeadEnd);
        }
        if kind == PieceKind::Pawn && self.is_drop_pawn_mate(to) {
            return Err(IllegalKind::Uchifuzume);
        }
        if let Some(king) = self.king(us)
            && !self.answers_check(king, to)
        {
            return Err(IllegalKind::KingInCheck);
        }
        Ok(())
    }

    /// Whether a piece other than the king, arriving on `to`, ends every check on `king`.
    fn answers_check(&self, king: Square, to: Square) -> bool {
        let checkers = self.checkers;
        match checkers.first() {
            None => true,
            Some(_) if checkers.is_many() => false,
            Some(checker) => {
                to == checker || attacks::direction::between(king, checker).contains(to)
            }
        }
    }

    /// Whether a pawn dropped on the empty square `to` by the side to move would be mate.
    pub(crate) fn is_drop_pawn_mate(&self, to: Square) -> bool {
        let us = self.side_to_move;
        let them = !us;
        let Some(king) = self.king(them) else { return false };
        if !attacks::pawn(us, to).contains(king) {
            return false;
        }
        if self.unsettled {
            return self.is_mate_after_drop(to);
        }
        let occupied = self.occupied() | Bitboard::of(to);
        // A capturer that is pinned saves the king only along the file, where it stays in line.
        let capturers = self.attackers_with(to, them, occupied) & !Bitboard::of(king);
        let pinned = self.pinned(them);
        let mut free = capturers & !pinned;
        for capturer in capturers & pinned {
            if line_through(king, capturer).contains(to) {
                free.insert(capturer);
            }
        }
        if !free.is_empty() {
            return false;
        }
        let without_king = occupied ^ Bitboard::of(king);
        let mut escapes = attacks::king(king) & !self.pieces(them);
        if let Some(own) = self.king(us) {
            escapes.remove(own);
        }
        escapes.iter().all(|escape| self.is_attacked_with(escape, us, without_king))
    }

    /// Whether a pawn dropped on `to` leaves no answer, by playing it: for problems in which the
    /// enemy king is in check already, so that capturing the pawn may not be enough.
    fn is_mate_after_drop(&self, to: Square) -> bool {
        let mut after = self.clone();
        after.do_any_move(Move::drop(PieceKind::Pawn, to));
        !after.has_legal_move()
    }
}
