//! Opening books: lists of lines, and YaneuraOu's text books.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use keiko_formats::{Opening, OpeningError};
use keiko_shogi::{Move, Position};
use thiserror::Error;

mod yaneuraou;

/// Known moves by position. A position is told apart by its pieces, hands and side to move, not by the way to it.
#[derive(Debug, Default)]
pub struct Book {
    positions: BTreeMap<u64, Vec<BookMove>>,
}

/// A move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The answer that is expected, if the book knows one; not known to be legal.
    pub reply: Option<Move>,
    /// The score in centipawns, from the side to move, if the book has one.
    pub score: Option<i32>,
    /// How often the book has the move; 1 or more.
    pub count: u32,
}

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A list of lines is wrong.
    #[error(transparent)]
    List(#[from] OpeningError),
    /// A book of YaneuraOu's is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

impl Book {
    /// Reads a book: lines `startpos moves ..` or `sfen .. moves ..`, or YaneuraOu's `#YANEURAOU-DB2016`.
    ///
    /// # Errors
    /// Names the line that is wrong.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::parse(&String::from_utf8_lossy(&fs::read(path)?))
    }

    /// As [`Book::open`], from the text of the file.
    ///
    /// # Errors
    /// Names the line that is wrong.
    pub fn parse(text: &str) -> Result<Book, BookError> {
        let mut book = Book::default();
        if yaneuraou::is_header(text) {
            yaneuraou::read(text, &mut book)?;
            return Ok(book);
        }
        for opening in Opening::parse_all(text)? {
            let mut position = opening.start.clone();
            for (at, &mv) in opening.moves.iter().enumerate() {
                let reply = opening.moves.get(at + 1).copied();
                book.add(&position, BookMove { mv, reply, score: None, count: 1 });
                position.do_move(mv);
            }
        }
        Ok(book)
    }

    /// Positions with moves.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Adds a move, which must be legal, or its count to what is known of it.
    fn add(&mut self, position: &Position, new: BookMove) {
        let moves = self.positions.entry(position.key()).or_default();
        match moves.iter_mut().find(|old| old.mv == new.mv) {
            Some(old) => old.count = old.count.saturating_add(new.count),
            None => moves.push(new),
        }
    }

    /// The best move of a position: the one the book has most often, among equals the one of the best score, then the first.
    #[must_use]
    pub fn best(&self, position: &Position) -> Option<BookMove> {
        let rank = |known: &BookMove| (known.count, known.score.unwrap_or(i32::MIN));
        let moves = self.moves(position);
        moves
            .into_iter()
            .reduce(|best, other| if rank(&other) > rank(&best) { other } else { best })
    }

    /// A move of a position, each with a chance as its count; `random` is any number, all alike likely.
    #[must_use]
    pub fn by_chance(&self, position: &Position, random: u64) -> Option<BookMove> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|known| u64::from(known.count)).sum();
        let mut rest = random.checked_rem(total)?;
        moves.into_iter().find(|known| {
            let count = u64::from(known.count);
            let hit = rest < count;
            rest = rest.saturating_sub(count);
            hit
        })
    }

    /// The moves of a position that are legal in it, which all are unless two positions share a key.
    fn moves(&self, position: &Position) -> Vec<BookMove> {
        let known = self.positions.get(&position.key());
        known.into_iter().flatten().filter(|known| position.is_legal(known.mv)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn the_move_of_most_lines_is_the_best() {
        let lines = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\nstartpos moves 2g2f\n";
        let book = Book::parse(lines).unwrap();
        let start = Position::startpos();
        let best = book.best(&start).unwrap();
        assert_eq!((best.mv, best.reply, best.count), (mv("2g2f"), Some(mv("8c8d")), 2));
        let chances: Vec<_> =
            (0..6).map(|random| book.by_chance(&start, random).unwrap().mv).collect();
        let (a, b) = (mv("7g7f"), mv("2g2f"));
        assert_eq!(chances, [a, b, b, a, b, b]);
        let mut after = start.clone();
        after.do_move(a);
        assert_eq!(book.best(&after).unwrap().mv, mv("3c3d"));
        after.do_move(mv("3c3d"));
        assert_eq!((book.best(&after), book.by_chance(&after, 5)), (None, None));
    }

    #[test]
    fn a_transposition_is_the_same_position() {
        let book = Book::parse("startpos moves 7g7f 3c3d 2g2f 8c8d").unwrap();
        let mut position = Position::startpos();
        for text in ["2g2f", "3c3d", "7g7f"] {
            position.do_move(mv(text));
        }
        assert_eq!(book.best(&position).unwrap().mv, mv("8c8d"));
    }

    #[test]
    fn errors_name_the_line() {
        assert!(Book::parse("").is_err());
        let error = Book::parse("startpos\nstartpos moves 1a1b\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
}
