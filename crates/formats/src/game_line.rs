//! Whole games, one line each.

use std::fmt;
use std::str::SplitAsciiWhitespace;

use keiko_shogi::{Game, Move, ParsePositionError, Position, Rules, parse_position};
use thiserror::Error;

use crate::line::{LineError, content};

/// A game as one line of text: `startpos moves 7g7f 3c3d` or `sfen <sfen> moves ..`, then any number of
/// tags, each a tab and `key=value`.
///
/// The moves are those that the pieces allow, fouls among them, as in a [`Record`](crate::Record). Tools that
/// read USI games take the part before the first tab as it is. A key is of the characters
/// `a-z 0-9 _`, a value of any but control characters; no key is there twice. What a tag means is
/// between the programs that write and read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLine {
    start: Position,
    move_number: u32,
    moves: Vec<Move>,
    tags: Vec<(String, String)>,
}

/// Why a text is no game line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameLineError {
    /// The start is wrong, or a move that the pieces do not allow.
    #[error(transparent)]
    Game(#[from] ParsePositionError),
    /// A tag is not `key=value` with a plain key.
    #[error("tag {0:?} is not key=value")]
    Tag(String),
    /// A value holds a control character.
    #[error("the value of tag {0} holds a control character")]
    Value(String),
    /// A key is there twice.
    #[error("tag {0} is there twice")]
    Twice(String),
}

impl GameLine {
    /// A game of these moves without tags. The pieces must allow the moves: that is checked when the line
    /// is read.
    #[must_use]
    pub fn new(start: Position, move_number: u32, moves: Vec<Move>) -> Self {
        Self { start, move_number, moves, tags: Vec::new() }
    }

    /// Adds a tag.
    ///
    /// # Errors
    ///
    /// If `key` or `value` holds what it may not, or the key is there already.
    pub fn add_tag(&mut self, key: &str, value: &str) -> Result<(), GameLineError> {
        check_tag(key, value)?;
        if self.tag(key).is_some() {
            return Err(GameLineError::Twice(key.to_owned()));
        }
        self.tags.push((key.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Reads one line. A move may be a foul, if the pieces allow it.
    ///
    /// # Errors
    ///
    /// What is wrong with the line.
    pub fn parse(line: &str) -> Result<Self, GameLineError> {
        let mut parts = line.trim_end_matches(['\r', '\n']).split('\t');
        let (start, move_number, words) = start_and_words(parts.next().unwrap_or_default())?;
        let mut played = Game::new(start.clone(), move_number, Rules::STANDARD);
        for (word, number) in words.zip(1..) {
            let mv: Move =
                word.parse().map_err(|error| ParsePositionError::BadMove { number, error })?;
            played.play_any(mv).map_err(|kind| ParsePositionError::IllegalMove {
                number,
                mv,
                kind,
            })?;
        }
        let mut game = Self::new(start, move_number, played.moves().to_vec());
        for part in parts {
            let (key, value) = split_tag(part)?;
            game.add_tag(key, value)?;
        }
        Ok(game)
    }

    /// Reads a text of game lines; blank lines and those that start with `#` are passed over.
    ///
    /// # Errors
    ///
    /// The first line that is no game, and why.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, LineError<GameLineError>> {
        let parse = |(line, text): (u32, &str)| {
            Self::parse(text).map_err(|source| LineError { line, source })
        };
        content(text).map(parse).collect()
    }

    /// The start position.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The move number of the start position.
    #[must_use]
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The moves in order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for GameLine {
    /// The line, without an end of line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_game(f, &self.start, self.move_number, &self.moves)?;
        self.tags.iter().try_for_each(|(key, value)| write!(f, "\t{key}={value}"))
    }
}

/// The start of the part before the tags, its move number, and the words of the moves.
pub(crate) fn start_and_words(
    text: &str,
) -> Result<(Position, u32, SplitAsciiWhitespace<'_>), ParsePositionError> {
    let (start, words) = match text.split_once(" moves") {
        Some((start, words)) if words.is_empty() || words.starts_with(' ') => (start, words),
        _ => (text, ""),
    };
    let (start, move_number, _) = parse_position(start)?;
    Ok((start, move_number, words.split_ascii_whitespace()))
}

/// The key and the value of a tag.
pub(crate) fn split_tag(tag: &str) -> Result<(&str, &str), GameLineError> {
    tag.split_once('=').ok_or_else(|| GameLineError::Tag(tag.to_owned()))
}

/// Refuses a tag whose key or value holds what it may not.
pub(crate) fn check_tag(key: &str, value: &str) -> Result<(), GameLineError> {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if key.is_empty() || !key.bytes().all(is_plain) {
        return Err(GameLineError::Tag(format!("{key}={value}")));
    }
    if value.chars().any(char::is_control) {
        return Err(GameLineError::Value(key.to_owned()));
    }
    Ok(())
}

/// Writes a start and moves as USI's `position` command takes them.
pub(crate) fn write_game(
    f: &mut fmt::Formatter<'_>,
    start: &Position,
    move_number: u32,
    moves: &[Move],
) -> fmt::Result {
    if move_number == 1 && *start == Position::startpos() {
        f.write_str("startpos")?;
    } else {
        write!(f, "sfen {}", start.to_sfen(move_number))?;
    }
    if !moves.is_empty() {
        f.write_str(" moves")?;
    }
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let lines = [
            "startpos",
            "startpos moves 7g7f 3c3d 8h2b+",
            "startpos moves 7g7f\tblack=a b\twhite=\treason=checkmate=mate",
            "sfen 4k4/9/9/9/9/9/9/9/4K4 w P 12 moves 5a5b\tply=1",
            "startpos moves 7g7f 2g2f 3c3d\treason=illegal_move(out_of_turn)",
        ];
        for line in lines {
            assert_eq!(GameLine::parse(line).unwrap().to_string(), line);
        }
        let games = GameLine::parse_all(&format!("# games\r\n\r\n{}\r\n", lines.join("\r\n")));
        let games = games.unwrap();
        assert_eq!(games.len(), 5);
        assert_eq!(games[2].tag("black"), Some("a b"));
        assert_eq!(games[2].tag("reason"), Some("checkmate=mate"));
        assert_eq!(games[2].tag("ply"), None);
        assert_eq!((games[3].move_number(), games[3].moves().len()), (12, 1));
    }

    #[test]
    fn errors_name_the_line_and_the_fault() {
        let cases = [
            ("startpos moves 7g7f 7g7f", "line 2: move 2, 7g7f, is illegal: "),
            ("startpos moves 7g7f P*5e", "line 2: move 2, P*5e, is illegal: impossible_move"),
            ("startpos moves 7g7", "line 2: move 1: "),
            ("stratpos", "line 2: expected `startpos` or `sfen`, found \"stratpos\""),
            ("startpos moves7g7f", "line 2: "),
            ("sfen 9/9 b - 1", "line 2: bad sfen: "),
            ("startpos\tBlack=x", "line 2: tag \"Black=x\" is not key=value"),
            ("startpos\tblack", "line 2: tag \"black\" is not key=value"),
            ("startpos\ta=1\ta=2", "line 2: tag a is there twice"),
            ("startpos\ta=\u{1b}[2J", "line 2: the value of tag a holds a control character"),
            ("startpos\t", "line 2: tag \"\" is not key=value"),
        ];
        for (line, message) in cases {
            let error = GameLine::parse_all(&format!("startpos\n{line}\n")).unwrap_err();
            assert!(error.to_string().starts_with(message), "{line:?}: {error}");
        }
        let mut game = GameLine::parse("startpos").unwrap();
        assert!(game.add_tag("a", "x\ny").is_err());
        assert!(game.add_tag("a\tb", "x").is_err());
        assert_eq!(game.to_string(), "startpos");
    }
}
