//! Counts for the impasse rules.

use super::Position;
use crate::{Bitboard, Color, PieceKind};

impl Position {
    /// Points of all pieces of a side, on the board and in hand: rook, bishop and their promoted
    /// forms 5, the king 0, the rest 1.
    pub fn points(&self, color: Color) -> u32 {
        self.board_points(self.pieces(color)) + self.hand(color).points()
    }

    /// Points of a side's pieces in the enemy camp and in hand.
    pub fn zone_points(&self, color: Color) -> u32 {
        self.board_points(self.pieces(color) & Bitboard::zone(color)) + self.hand(color).points()
    }

    /// Number of a side's pieces in the enemy camp, without its king.
    pub fn zone_pieces(&self, color: Color) -> u32 {
        let zone = self.pieces(color) & Bitboard::zone(color);
        (zone & !self.kind(PieceKind::King)).len()
    }

    /// Whether a side's king stands in the enemy camp.
    pub fn has_entered(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| king.is_in_zone(color))
    }

    fn board_points(&self, pieces: Bitboard) -> u32 {
        let big = self.kind(PieceKind::Bishop)
            | self.kind(PieceKind::Rook)
            | self.kind(PieceKind::Horse)
            | self.kind(PieceKind::Dragon);
        (pieces & !self.kind(PieceKind::King)).len() + 4 * (pieces & big).len()
    }
}
