//! Who attacks a square, and which pieces are pinned.

use super::Position;
use crate::attacks::direction::between;
use crate::attacks::{self, bishop_rays, lance_rays, rook_rays};
use crate::{Bitboard, Color, PieceKind, Square};

impl Position {
    /// Bishops and horses of a side.
    #[inline]
    pub(crate) fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceKind::Bishop) | self.kind(PieceKind::Horse)) & self.pieces(color)
    }

    /// Rooks and dragons of a side.
    #[inline]
    pub(crate) fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceKind::Rook) | self.kind(PieceKind::Dragon)) & self.pieces(color)
    }

    /// Everything that moves as a gold, of both sides.
    #[inline]
    pub(crate) const fn gold_movers(&self) -> Bitboard {
        self.golds
    }

    /// The pieces of `color` that attack `square`.
    #[inline]
    pub fn attackers_to(&self, square: Square, color: Color) -> Bitboard {
        self.attackers_with(square, color, self.occupied())
    }

    /// The pieces of `color` that would attack `square` if exactly the squares of `occupied` were
    /// taken.
    #[inline]
    pub(crate) fn attackers_with(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        self.step_attackers(square, color) | self.slide_attackers(square, color, occupied)
    }

    /// Whether `color` would attack `square` if exactly the squares of `occupied` were taken.
    #[inline]
    pub(crate) fn is_attacked_with(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
    ) -> bool {
        !self.step_attackers(square, color).is_empty()
            || !self.slide_attackers(square, color, occupied).is_empty()
    }

    /// Attackers at one step or a knight's jump.
    #[inline]
    fn step_attackers(&self, square: Square, color: Color) -> Bitboard {
        let kinds = &self.kinds;
        let kind = |kind: PieceKind| kinds[kind.index()];
        let all_round = kind(PieceKind::King) | kind(PieceKind::Horse) | kind(PieceKind::Dragon);
        let found = attacks::pawn(!color, square) & kind(PieceKind::Pawn)
            | attacks::knight(!color, square) & kind(PieceKind::Knight)
            | attacks::silver(!color, square) & kind(PieceKind::Silver)
            | attacks::gold(!color, square) & self.golds
            | attacks::king(square) & all_round;
        found & self.pieces(color)
    }

    /// Attackers from afar. The lines are only followed where a slider stands on them.
    #[inline]
    pub(super) fn slide_attackers(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        let diagonal = self.diagonal_sliders(color) & bishop_rays(square);
        if !diagonal.is_empty() {
            found |= attacks::bishop(square, occupied) & diagonal;
        }
        let straight = self.straight_sliders(color) & rook_rays(square);
        if !straight.is_empty() {
            found |= attacks::rook(square, occupied) & straight;
        }
        let lances = self.pieces_of(color, PieceKind::Lance) & lance_rays(!color, square);
        if !lances.is_empty() {
            found |= attacks::lance(!color, square, occupied) & lances;
        }
        found
    }

    /// The pieces of `color` that would attack `square` along an empty line.
    #[inline]
    pub(super) fn snipers(&self, square: Square, color: Color) -> Bitboard {
        self.diagonal_sliders(color) & bishop_rays(square)
            | self.straight_sliders(color) & rook_rays(square)
            | self.pieces_of(color, PieceKind::Lance) & lance_rays(!color, square)
    }

    /// All pieces, of either side, that alone stand between the king of `color` and an enemy
    /// slider.
    #[inline]
    pub(crate) fn blockers(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        let occupied = self.occupied();
        let mut found = Bitboard::EMPTY;
        for sniper in self.snipers(king, !color) {
            let inside = between(king, sniper) & occupied;
            if !inside.is_many() {
                found |= inside;
            }
        }
        found
    }

    /// The pieces of `color` that are pinned to their king.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.blockers(color) & self.pieces(color)
    }

    /// The checkers computed from the placement.
    #[doc(hidden)]
    #[inline]
    pub fn checkers_from_scratch(&self) -> Bitboard {
        match self.king(self.side_to_move) {
            Some(king) => self.attackers_to(king, !self.side_to_move),
            None => Bitboard::EMPTY,
        }
    }
}
