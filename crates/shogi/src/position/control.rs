//! All squares that a side attacks.

use super::Position;
use crate::attacks::{self, near};
use crate::{Bitboard, Color, PieceKind, Square};

impl Position {
    /// The squares around `king` that `color`, its enemy, would attack if the king were lifted.
    /// Squares farther away may be missing.
    #[inline]
    pub(crate) fn controlled_around(&self, king: Square, color: Color) -> Bitboard {
        let lifted = self.occupied() - Bitboard::of(king);
        self.controlled_by_steps(color) | self.controlled_from_afar(king, color, lifted)
    }

    /// The squares that pieces of `color` which step attack.
    #[inline]
    pub(crate) fn controlled_by_steps(&self, color: Color) -> Bitboard {
        match color {
            Color::Black => self.stepped_onto::<true>(),
            Color::White => self.stepped_onto::<false>(),
        }
    }

    /// All pieces are moved at once.
    #[inline]
    fn stepped_onto<const BLACK: bool>(&self) -> Bitboard {
        let color = if BLACK { Color::Black } else { Color::White };
        let own = self.pieces(color);
        let all_round = (self.kind(PieceKind::King)
            | self.kind(PieceKind::Horse)
            | self.kind(PieceKind::Dragon))
            & own;
        let diagonal = self.kind(PieceKind::Silver) & own | all_round;
        let straight = self.gold_movers() & own | all_round;
        let (last, two) = (Bitboard::far_ranks(color, 1), Bitboard::far_ranks(color, 2));
        let first = Bitboard::far_ranks(!color, 1);
        let ahead = ((diagonal | straight) - last).forward(color);
        let pawns = ((self.kind(PieceKind::Pawn) & own) - last).forward(color);
        let knights = ((self.kind(PieceKind::Knight) & own) - two).forward(color).forward(color);
        let beside = ahead | straight | (diagonal - first).backward(color) | knights;
        beside.beside() | ahead | pawns | (straight - first).backward(color)
    }

    /// The squares around `king` that sliders attack: those from whose line none of these squares
    /// can be are left out.
    #[inline]
    fn controlled_from_afar(&self, king: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        for from in self.diagonal_sliders(color) & near::diagonals(king) {
            found |= attacks::bishop(from, occupied);
        }
        for from in self.straight_sliders(color) & near::straights(king) {
            found |= attacks::rook(from, occupied);
        }
        for from in self.pieces_of(color, PieceKind::Lance) & near::files(king) {
            found |= attacks::lance(color, from, occupied);
        }
        found
    }
}
