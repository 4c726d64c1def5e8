//! Writing SFEN text.

use std::fmt::Write;

use crate::{Color, Piece, PieceKind, Position, Square};

impl Position {
    /// The canonical SFEN: Black's hand first, each in the order rook, bishop, gold, silver,
    /// knight, lance, pawn.
    pub fn to_sfen(&self, move_number: u32) -> String {
        let mut text = String::with_capacity(96);
        self.write_placement(&mut text);
        text.push_str(match self.side_to_move() {
            Color::Black => " b ",
            Color::White => " w ",
        });
        self.write_hands(&mut text);
        let _ = write!(text, " {move_number}");
        text
    }

    fn write_placement(&self, text: &mut String) {
        for rank in 0..9 {
            if rank > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in (0..9).rev() {
                let Some(piece) = self.piece_at(Square::new(file, rank)) else {
                    empty += 1;
                    continue;
                };
                push_count(text, empty);
                empty = 0;
                let _ = write!(text, "{piece}");
            }
            push_count(text, empty);
        }
    }

    fn write_hands(&self, text: &mut String) {
        let start = text.len();
        for color in Color::ALL {
            for kind in PieceKind::HAND_WRITTEN {
                let count = self.hand(color).count(kind);
                if count > 1 {
                    push_count(text, count);
                }
                if count > 0 {
                    let _ = write!(text, "{}", Piece::new(color, kind));
                }
            }
        }
        if text.len() == start {
            text.push('-');
        }
    }
}

/// Appends a number unless it is zero.
fn push_count(text: &mut String, count: u8) {
    if count > 0 {
        let _ = write!(text, "{count}");
    }
}
