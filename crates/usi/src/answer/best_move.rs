use std::fmt::{self, Display, Formatter};

use keiko_shogi::Move;

/// What an engine decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A move, readable but not known to be legal.
    Move(Move),
    /// `resign`
    Resign,
    /// `win`: the declaration of an entering king.
    Win,
    /// Anything else, for the referee to call illegal; empty if nothing was said.
    Unreadable(String),
}

/// The answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// The decision.
    pub choice: Choice,
    /// The reply the engine would like to ponder on.
    pub ponder: Option<Move>,
}

impl BestMove {
    /// A decision without a move to ponder on.
    pub fn new(choice: Choice) -> BestMove {
        BestMove { choice, ponder: None }
    }

    /// Reads what follows the word `bestmove`.
    pub(super) fn parse(rest: &str) -> BestMove {
        let mut words = rest.split_whitespace();
        let choice = match words.next().unwrap_or("") {
            "resign" => Choice::Resign,
            "win" => Choice::Win,
            word => word.parse().map_or_else(|_| Choice::Unreadable(word.to_owned()), Choice::Move),
        };
        let ponder = match words.next() {
            Some("ponder") => words.next().and_then(|word| word.parse().ok()),
            _ => None,
        };
        BestMove { choice, ponder }
    }
}

impl Display for BestMove {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.choice {
            Choice::Move(mv) => write!(f, "{mv}")?,
            Choice::Resign => f.write_str("resign")?,
            Choice::Win => f.write_str("win")?,
            Choice::Unreadable(text) => f.write_str(text)?,
        }
        self.ponder.map_or(Ok(()), |mv| write!(f, " ponder {mv}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_a_decision_even_a_broken_one() {
        for (text, choice) in [
            ("", ""),
            ("none", "none"),
            ("(none)", "(none)"),
            ("0000", "0000"),
            ("7776FU ponder x", "7776FU"),
        ] {
            let best = BestMove::parse(text);
            assert_eq!(best, BestMove::new(Choice::Unreadable(choice.to_owned())), "{text:?}");
        }
    }

    #[test]
    fn ponder_without_a_move_is_no_ponder() {
        let mv = "7g7f".parse().unwrap();
        for text in ["7g7f ponder", "7g7f ponder none", "7g7f pondr 3c3d", "7g7f  "] {
            assert_eq!(BestMove::parse(text), BestMove::new(Choice::Move(mv)), "{text}");
        }
    }
}
