//! What a GUI says to an engine, as types.

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

pub use game_result::GameResult;
pub use go::{Go, MateLimit, Times, Unusable};
pub use position::{PositionError, PositionText, Start};
pub use set_option::SetOption;

mod game_result;
mod go;
mod position;
mod set_option;

/// One line from a GUI.
///
/// [`Command::parse`] takes what is found in the wild; `Display` writes the canonical form, which parses back to
/// the same value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `usi`: who are you, which options do you have.
    Usi,
    /// `isready`: load what you need and say so.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption(SetOption),
    /// `usinewgame`: the next position belongs to a new game.
    NewGame,
    /// `position ..`: the game so far.
    Position(PositionText),
    /// `go ..`: think about the position given last.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit [times]`: the expected move was played; times are given by GUIs that left them out of `go ponder`.
    PonderHit(Times),
    /// `gameover win|lose|draw`: the game has ended.
    GameOver(Option<GameResult>),
    /// `quit`: end the process.
    Quit,
}

/// Why a line whose first word is a known command cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// `position` with unreadable text.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// `setoption` without a name.
    #[error("setoption: no name")]
    NoOptionName,
}

impl Command {
    /// Reads one line, with or without its line end. `None` is a line to skip: empty, or an unknown first word.
    ///
    /// # Errors
    /// A known command that cannot be understood. `go` is never an error, since it must be answered: what cannot be
    /// used of it is left out, and [`Go::read`] says what that is.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(Some(match word {
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "setoption" => {
                Command::SetOption(SetOption::parse(rest).ok_or(CommandError::NoOptionName)?)
            }
            "usinewgame" => Command::NewGame,
            "position" => Command::Position(PositionText::parse(rest)?),
            "go" => Command::Go(Go::parse(rest)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit(Go::parse(rest).times),
            "gameover" => Command::GameOver(GameResult::parse(rest.trim())),
            "quit" => Command::Quit,
            _ => return Ok(None),
        }))
    }
}

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Command::Usi => f.write_str("usi"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption(option) => write!(f, "setoption {option}"),
            Command::NewGame => f.write_str("usinewgame"),
            Command::Position(position) => write!(f, "position {position}"),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit(times) => write!(f, "ponderhit{times}"),
            Command::GameOver(None) => f.write_str("gameover"),
            Command::GameOver(Some(result)) => write!(f, "gameover {result}"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn canonical_lines_come_back_unchanged() {
        for line in [
            "usi",
            "isready",
            "setoption name USI_Ponder value true",
            "setoption name Clear_Hash",
            "setoption name DNN_Model value my models/best net.onnx",
            "usinewgame",
            "position startpos",
            "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e",
            "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 51 moves 7g7f 3c3d 8h2b+ 3a2b",
            "go btime 300000 wtime 299000 byoyomi 10000",
            "go btime 0 wtime 0 binc 1000 winc 2000",
            "go ponder btime 1 wtime 2 byoyomi 3",
            "go infinite",
            "go nodes 800",
            "go depth 3",
            "go movetime 1500",
            "go mate 5000",
            "go mate infinite",
            "go mate nodes 100",
            "go infinite searchmoves 7g7f P*5e",
            "stop",
            "ponderhit",
            "ponderhit btime 60000 wtime 50000 byoyomi 1000",
            "gameover win",
            "gameover lose",
            "gameover draw",
            "quit",
        ] {
            assert_eq!(parse(line).to_string(), line);
        }
    }

    #[test]
    fn unknown_and_empty_lines_are_skipped() {
        for line in
            ["", "  ", "\r\n", "ucinewgame", "d", "bench 3", "position7", "\u{feff}usi", "--"]
        {
            assert_eq!(Command::parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn line_ends_and_spaces_do_not_matter() {
        assert_eq!(parse("  usi \r\n"), Command::Usi);
        assert_eq!(parse("go\tnodes   5 \r"), parse("go nodes 5"));
        assert_eq!(parse("gameover"), Command::GameOver(None));
        assert_eq!(parse("gameover whatever"), Command::GameOver(None));
    }

    #[test]
    fn errors_are_for_known_commands_only() {
        assert_eq!(Command::parse("setoption value 3"), Err(CommandError::NoOptionName));
        assert!(matches!(Command::parse("position"), Err(CommandError::Position(_))));
    }
}
