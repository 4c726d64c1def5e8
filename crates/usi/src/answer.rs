//! What an engine says to a GUI, as types.

use std::fmt::{self, Display, Formatter};

pub use best_move::{BestMove, Choice};
pub use checkmate::Checkmate;
pub use info::{Info, PvEnd, ScoreBound};
pub use option_declaration::{OptionDeclaration, OptionKind};
pub use score::{MateScore, Score};

mod best_move;
mod checkmate;
mod info;
mod option_declaration;
mod score;

/// One line from an engine.
///
/// [`Answer::parse`] takes what is found in the wild; `Display` writes the canonical form, which parses back to the
/// same value.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// `id name N`
    Name(String),
    /// `id author A`
    Author(String),
    /// `option name N type T ..`
    Option(OptionDeclaration),
    /// `usiok`: all options are told.
    UsiOk,
    /// `readyok`: everything is loaded.
    ReadyOk,
    /// `bestmove ..`: the answer to `go`.
    BestMove(BestMove),
    /// `info ..`
    Info(Box<Info>),
    /// `checkmate ..`: the answer to `go mate`.
    Checkmate(Checkmate),
}

/// Characters of the longest message.
const MESSAGE_CHARS: usize = 1000;

impl Answer {
    /// Reads one line, with or without its line end. `None` is a line to skip: empty, a banner, a complaint, or a known
    /// word with nothing usable behind it.
    pub fn parse(line: &str) -> Option<Answer> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "id" => {
                let (what, text) = rest.split_once(char::is_whitespace)?;
                let text = text.trim().to_owned();
                match what {
                    "name" => Some(Answer::Name(text)),
                    "author" => Some(Answer::Author(text)),
                    _ => None,
                }
            }
            "option" => OptionDeclaration::parse(rest).map(Answer::Option),
            "usiok" => Some(Answer::UsiOk),
            "readyok" => Some(Answer::ReadyOk),
            "bestmove" => Some(Answer::BestMove(BestMove::parse(rest))),
            "info" => Some(Answer::Info(Box::new(Info::parse(rest)))),
            "checkmate" => Checkmate::parse(rest).map(Answer::Checkmate),
            _ => None,
        }
    }

    /// `info string TEXT`. Line breaks and control characters become spaces, and what is too long for a GUI's log is cut
    /// off.
    pub fn message(text: impl Display) -> Answer {
        let text = text.to_string().replace(char::is_control, " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match text.char_indices().nth(MESSAGE_CHARS) {
            Some((end, _)) => format!("{}..", &text[..end]),
            None => text,
        };
        Answer::Info(Box::new(Info { string: Some(text), ..Info::default() }))
    }
}

impl Display for Answer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "id name {name}"),
            Answer::Author(author) => write!(f, "id author {author}"),
            Answer::Option(option) => write!(f, "option {option}"),
            Answer::UsiOk => f.write_str("usiok"),
            Answer::ReadyOk => f.write_str("readyok"),
            Answer::BestMove(best) => write!(f, "bestmove {best}"),
            Answer::Info(info) => write!(f, "info{info}"),
            Answer::Checkmate(checkmate) => write!(f, "checkmate {checkmate}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_lines_come_back_unchanged() {
        for line in [
            "id name Fairy-Stockfish 11.1 LB",
            "id author someone else",
            "usiok",
            "readyok",
            "option name USI_Hash type spin default 256 min 1 max 33554432",
            "option name NodesLimit type spin default 0 min 0 max 9223372036854775807",
            "option name Skill Level type spin default 20 min -20 max 20",
            "option name USI_Ponder type check default false",
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule27",
            "option name Clear_Hash type button",
            "option name BookFile type string default <empty>",
            "option name DNN_Model type filename default model.onnx",
            "bestmove 7g7f",
            "bestmove 7g7f ponder 3c3d",
            "bestmove resign",
            "bestmove win",
            "info depth 5 seldepth 9 time 1000 nodes 18446744073709551615 nps 1234 hashfull 12 multipv 1 score cp -30000 pv 7g7f 3c3d",
            "info score cp 12 lowerbound",
            "info score mate 5 upperbound pv P*5b",
            "info depth 0 multipv 1 score mate 1 pv win",
            "info score mate -1 pv resign",
            "info score mate -",
            "info currmove 2g2f",
            "info string loading the model",
            "checkmate G*5b 4a5b",
            "checkmate nomate",
            "checkmate timeout",
            "checkmate notimplemented",
        ] {
            assert_eq!(Answer::parse(line).expect(line).to_string(), line);
        }
    }

    #[test]
    fn banners_and_complaints_are_skipped() {
        for line in [
            "",
            "Fairy-Stockfish 11.1 LB by the authors",
            "Unknown command: gameover",
            "id",
            "id name",
            "option",
            "option name x",
            "option name x type wheel",
            "checkmate",
            "bestmovement",
        ] {
            assert_eq!(Answer::parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(Answer::message("two\n  lines").to_string(), "info string two lines");
        assert_eq!(Answer::message("a\0b").to_string(), "info string a b");
        assert!(Answer::message("将".repeat(1 << 20)).to_string().len() < 4000);
    }
}
