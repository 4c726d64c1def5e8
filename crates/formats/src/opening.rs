//! Opening lists.

use std::fmt;

use keiko_shogi::{Move, ParsePositionError, Position, parse_position};
use thiserror::Error;

use crate::game_line::write_game;
use crate::line::{LineError, content};

/// A line of an opening list: a start and moves from there.
///
/// Written as `startpos moves ..` or `sfen <sfen> moves ..`; a bare SFEN, with or without moves, is read
/// too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The line's number in its list, from 1.
    pub line: u32,
    /// The start position.
    pub start: Position,
    /// The move number of the start position.
    pub move_number: u32,
    /// The moves from there, each legal in its turn.
    pub moves: Vec<Move>,
}

/// Why a text is no opening list.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The list has no opening: a file of 0 bytes is a failed copy, not a choice.
    #[error("the opening list is empty")]
    Empty,
    /// A line is no opening.
    #[error(transparent)]
    Line(#[from] LineError<ParsePositionError>),
}

impl Opening {
    /// Reads an opening list; blank lines and those that start with `#` are passed over.
    ///
    /// # Errors
    ///
    /// [`OpeningError::Empty`] without any opening, otherwise the first line that is none, and why.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, OpeningError> {
        let openings = content(text).map(|(line, text)| Self::parse(line, text));
        let openings = openings.collect::<Result<Vec<_>, _>>()?;
        if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
    }

    /// The text of an opening list, from which [`parse_all`](Self::parse_all) reads the same openings;
    /// their lines are numbered anew.
    #[must_use]
    pub fn write_all<'o>(openings: impl IntoIterator<Item = &'o Self>) -> String {
        openings.into_iter().map(|opening| format!("{opening}\n")).collect()
    }

    /// The position after the moves.
    #[must_use]
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.do_move(mv);
        }
        position
    }

    fn parse(line: u32, text: &str) -> Result<Self, LineError<ParsePositionError>> {
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let parsed = match first {
            "position" | "startpos" | "sfen" => parse_position(text),
            board if board.contains('/') => parse_position(&format!("sfen {text}")),
            other => Err(ParsePositionError::UnknownStart(other.to_owned())),
        };
        let (start, move_number, moves) = parsed.map_err(|source| LineError { line, source })?;
        Ok(Self { line, start, move_number, moves })
    }
}

impl fmt::Display for Opening {
    /// The line, without an end of line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_game(f, &self.start, self.move_number, &self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SFEN: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

    #[test]
    fn every_common_form_is_read() {
        let text = format!(
            "\u{feff}# openings\n\nstartpos moves 7g7f 3c3d\nsfen {SFEN}\n{SFEN}\n{SFEN} moves 2g2f\r\n\
             position startpos\nstartpos"
        );
        let openings = Opening::parse_all(&text).unwrap();
        let lines: Vec<_> = openings.iter().map(|opening| opening.line).collect();
        assert_eq!(lines, [3, 4, 5, 6, 7, 8]);
        assert_eq!(openings[0].position().to_sfen(3), SFEN);
        assert_eq!(openings[1].start, openings[2].start);
        assert_eq!(openings[3].moves.len(), 1);
        let written = Opening::write_all(&openings);
        assert_eq!(
            written.lines().collect::<Vec<_>>(),
            [
                "startpos moves 7g7f 3c3d",
                &format!("sfen {SFEN}"),
                &format!("sfen {SFEN}"),
                &format!("sfen {SFEN} moves 2g2f"),
                "startpos",
                "startpos",
            ]
        );
        let again = Opening::parse_all(&written).unwrap();
        assert_eq!(Opening::write_all(&again), written);
    }

    #[test]
    fn errors_name_the_line() {
        for text in ["", "\n\n", "# nothing\n", "\u{feff}"] {
            assert_eq!(Opening::parse_all(text), Err(OpeningError::Empty), "{text:?}");
        }
        let unknown = Opening::parse_all("7g7f 3c3d").unwrap_err().to_string();
        assert!(unknown.contains("found \"7g7f\""), "{unknown}");
        for line in ["7g7f 3c3d", "9/9 b - 1", &SFEN.replace(" b ", " x "), "startpos moves 1a1b"] {
            let error = Opening::parse_all(&format!("startpos\n\n{line}\n")).unwrap_err();
            assert!(error.to_string().starts_with("line 3: "), "{line:?}: {error}");
        }
    }
}
