//! Evaluations in comments, as floodgate's programs write them.

use std::fmt::Write as _;

use keiko_shogi::{Move, Position};

use crate::csa::{move_text, parse_move};

/// What a program thought of the position after its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The score in centipawns, from Black's view whoever moved.
    pub black_cp: i32,
    /// The moves expected next, each legal in its turn; the played one is none of them.
    pub line: Vec<Move>,
}

impl Evaluation {
    /// Reads `* 123 -3334FU +2726FU`: the score and the moves from `position` on in CSA notation.
    pub(crate) fn parse(text: &str, position: &Position) -> Option<Self> {
        let mut words = text.strip_prefix('*')?.split_ascii_whitespace();
        let black_cp = words.next()?.parse().ok()?;
        let mut position = position.clone();
        let mut line = Vec::new();
        for word in words {
            let mv = parse_move(word, &position).ok()?.ok()?;
            if !position.is_legal(mv) {
                return None;
            }
            position.do_move(mv);
            line.push(mv);
        }
        Some(Self { black_cp, line })
    }

    /// Writes what [`parse`](Self::parse) reads, as far as the line is legal.
    pub(crate) fn text(&self, position: &Position) -> String {
        let mut text = format!("* {}", self.black_cp);
        let mut position = position.clone();
        for &mv in &self.line {
            if !position.is_legal(mv) {
                break;
            }
            let _ = write!(text, " {}", move_text(mv, &position));
            position.do_move(mv);
        }
        text
    }
}
