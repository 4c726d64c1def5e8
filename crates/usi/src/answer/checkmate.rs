use std::fmt::{self, Display, Formatter};

use keiko_shogi::Move;

/// The answer to `go mate`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkmate {
    /// A mate and its line, not known to be legal.
    Moves(Vec<Move>),
    /// There is no mate.
    NoMate,
    /// Nothing was found in the time given.
    Timeout,
    /// The engine does not look for mates.
    NotImplemented,
}

impl Checkmate {
    /// Reads what follows the word `checkmate`. `none`, which some engines say for "unknown", is a timeout.
    pub(super) fn parse(rest: &str) -> Option<Checkmate> {
        match rest {
            "" => None,
            "nomate" => Some(Checkmate::NoMate),
            "timeout" | "none" => Some(Checkmate::Timeout),
            "notimplemented" => Some(Checkmate::NotImplemented),
            moves => {
                let moves: Result<Vec<Move>, _> =
                    moves.split_whitespace().map(str::parse::<Move>).collect();
                moves.ok().map(Checkmate::Moves)
            }
        }
    }
}

impl Display for Checkmate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Checkmate::Moves(moves) => {
                for (index, mv) in moves.iter().enumerate() {
                    let space = if index == 0 { "" } else { " " };
                    write!(f, "{space}{mv}")?;
                }
                Ok(())
            }
            Checkmate::NoMate => f.write_str("nomate"),
            Checkmate::Timeout => f.write_str("timeout"),
            Checkmate::NotImplemented => f.write_str("notimplemented"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_means_unknown_and_unreadable_moves_are_skipped() {
        assert_eq!(Checkmate::parse("none"), Some(Checkmate::Timeout));
        assert_eq!(Checkmate::parse("7g7f perhaps"), None);
    }
}
