use keiko_formats::packed::{BYTES, PackedError, PackedListError, Packing};
use keiko_formats::{LineError, Opening, OpeningError};
use keiko_replay::StartSource;
use keiko_shogi::{Color, EndReason, Game, Position, Rules, SfenError};
use rand::{Rng, RngExt};
use thiserror::Error;

use super::Start;

/// An opening book: starts with moves, or packed positions, in the order of their file.
#[derive(Debug)]
pub struct Book(Entries);

#[derive(Debug)]
enum Entries {
    Lines(Vec<Opening>),
    Packed(Vec<[u8; BYTES]>),
}

/// Why a file is no opening book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file is no text.
    #[error("it is no text: positions of 32 bytes need the extension .hcp")]
    NoText,
    /// It is no list of openings.
    #[error(transparent)]
    List(#[from] OpeningError),
    /// It is no list of packed positions.
    #[error(transparent)]
    Packed(#[from] PackedListError),
    /// A line begins with a problem instead of a position of a game.
    #[error(transparent)]
    Start(#[from] LineError<SfenError>),
    /// A king is missing.
    #[error("{what} {number}: a king is missing")]
    King {
        /// What is numbered: line or position.
        what: &'static str,
        /// Its number, from 1.
        number: u32,
    },
    /// The game is over, at the end of a line or on its way.
    #[error("{what} {number}: the game is over there by {}", reason.name())]
    Over {
        /// What is numbered: line or position.
        what: &'static str,
        /// Its number, from 1.
        number: u32,
        /// Why the game is over.
        reason: EndReason,
    },
}

impl Book {
    /// Reads the bytes of a book: an opening list, or, if its name ends with `.hcp`, packed positions. Every
    /// line must be the beginning of a game that goes on under `rules`.
    ///
    /// # Errors
    /// The first line or position that is none, or that there is none.
    pub fn parse(name: &str, bytes: &[u8], rules: Rules) -> Result<Self, BookError> {
        let is_packed =
            name.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("hcp"));
        if is_packed { Self::parse_packed(bytes, rules) } else { Self::parse_text(bytes, rules) }
    }

    fn parse_text(bytes: &[u8], rules: Rules) -> Result<Self, BookError> {
        let text = std::str::from_utf8(bytes).map_err(|_| BookError::NoText)?;
        let lines = Opening::parse_all(text)?;
        for Opening { line, start, move_number, moves } in &lines {
            let number = *line;
            // The list also takes problems, which no record may begin with.
            Position::from_sfen(&start.to_sfen(*move_number))
                .map_err(|source| LineError { line: number, source })?;
            let mut game = Game::new(start.clone(), *move_number, rules);
            check(&game, "line", number)?;
            for &mv in moves {
                game.play(mv);
                check(&game, "line", number)?;
            }
        }
        Ok(Self(Entries::Lines(lines)))
    }

    fn parse_packed(bytes: &[u8], rules: Rules) -> Result<Self, BookError> {
        let (positions, rest) = bytes.as_chunks::<BYTES>();
        if !rest.is_empty() {
            return Err(PackedListError::Length(bytes.len()).into());
        }
        if positions.is_empty() {
            return Err(PackedListError::Empty.into());
        }
        for (number, bytes) in (1..).zip(positions) {
            let position = Packing::Hcp
                .decode(bytes)
                .map_err(|source: PackedError| PackedListError::Position { number, source })?;
            check(&Game::new(position, 1, rules), "position", number as u32)?;
        }
        Ok(Self(Entries::Packed(positions.to_vec())))
    }

    /// How many lines or positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Entries::Lines(lines) => lines.len(),
            Entries::Packed(positions) => positions.len(),
        }
    }

    /// False: a book has a line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Any of them.
    pub(super) fn draw(&self, rules: Rules, rng: &mut impl Rng) -> Start {
        let drawn = rng.random_range(0..self.len());
        let (game, line) = match &self.0 {
            Entries::Lines(lines) => {
                let Opening { line, start, move_number, moves } = &lines[drawn];
                let mut game = Game::new(start.clone(), *move_number, rules);
                moves.iter().for_each(|&mv| game.play(mv));
                (game, *line)
            }
            Entries::Packed(positions) => {
                let position = Packing::Hcp.decode(&positions[drawn]);
                let position = position.expect("every position was decoded when the book was read");
                (Game::new(position, 1, rules), drawn as u32 + 1)
            }
        };
        Start { game, source: StartSource::Opening { line } }
    }
}

/// Whether the game goes on from here.
fn check(game: &Game, what: &'static str, number: u32) -> Result<(), BookError> {
    if Color::ALL.into_iter().any(|color| game.position().king(color).is_none()) {
        return Err(BookError::King { what, number });
    }
    match game.end() {
        Some(end) => Err(BookError::Over { what, number, reason: end.reason }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use keiko_shogi::Declaration;

    use super::*;

    const RULES: Rules = Rules { declaration: Declaration::Automatic, ..Rules::STANDARD };

    fn error(name: &str, bytes: &[u8]) -> String {
        Book::parse(name, bytes, RULES).expect_err("a bad book").to_string()
    }

    #[test]
    fn what_is_wrong_is_named_by_its_line() {
        for bytes in [&b""[..], b"# nothing\n\n"] {
            assert_eq!(error("a.sfen", bytes), "the opening list is empty");
        }
        let line = |line: &str| error("a.sfen", format!("startpos\n\n{line}\n").as_bytes());
        assert!(line("startpos moves 7g7f 7g7f").starts_with("line 3: move 2"));
        assert!(line("9/9 b - 1").starts_with("line 3: "));
        assert_eq!(
            line("8k/8G/8P/9/9/9/9/9/8K w - 1"),
            "line 3: the game is over there by checkmate"
        );
        assert_eq!(line("8k/9/9/9/9/9/9/9/9 b - 1"), "line 3: a king is missing");
        // Two pawns of a side on a file are fit for a problem only.
        assert!(line("4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1").starts_with("line 3: "));
        // Fourfold repetition on the way, whatever comes after.
        let round = "2h3h 8b7b 3h2h 7b8b";
        let repeated = format!("startpos moves {round} {round} {round} 7g7f");
        assert_eq!(line(&repeated), "line 3: the game is over there by sennichite");
        assert!(error("a.sfen", &[0xff, 0xfe]).contains(".hcp"));
    }

    #[test]
    fn packed_positions_are_named_by_their_number() {
        assert_eq!(error("a.hcp", b""), "the list of positions is empty");
        assert!(error("a.HCP", b"startpos").contains("8 bytes"));
        let pack = |sfen: &str| {
            Packing::Hcp.encode(&Position::from_sfen(sfen).expect("a position").0).expect("kings")
        };
        let start = Packing::Hcp.encode(&Position::startpos()).expect("kings");
        let mated = pack("8k/8G/8P/9/9/9/9/9/8K w 2r2b3g4s4n4l17p 1");
        let message = error("a.hcp", &[start, mated].concat());
        assert_eq!(message, "position 2: the game is over there by checkmate");
        assert!(error("a.hcp", &[start, [0xff; 32]].concat()).starts_with("position 2"));
        let book = Book::parse("x/a.hcp", &[start, start].concat(), RULES).expect("a book");
        assert_eq!((book.len(), book.is_empty()), (2, false));
    }
}
