//! A case: a start position and the moves played from it.

use anyhow::{Context as _, anyhow, bail};
use keiko_formats::{Ending, Record};
use keiko_shogi::{Handicap, IllegalKind, Move, ParseMoveError, Position};

/// A start position with its move number, and moves that may be fouls.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) start: Position,
    pub(super) move_number: u32,
    pub(super) moves: Vec<Played>,
    /// What was said at the end, if anything.
    pub(super) close: Option<Close>,
}

/// What was said at the end of the moves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Close {
    /// The side to move resigns.
    Resign,
    /// The side to move declares.
    Declare,
    /// A record tells how the game ended.
    Told(Ending),
}

/// A move as it was written.
#[derive(Debug)]
pub(super) enum Played {
    /// A move that may be legal.
    Move(Move),
    /// A text that is plainly a move, but one that no position allows.
    Foul(IllegalKind),
}

impl Case {
    /// The case of a line: an SFEN or `startpos`, and after a tab the moves, which may be missing.
    pub(super) fn of_line(line: &str, handicap: Option<Handicap>) -> anyhow::Result<Case> {
        let mut columns = line.split('\t');
        let start = columns.next().unwrap_or_default();
        let moves = columns.next().unwrap_or_default();
        if columns.next().is_some() {
            bail!("a line has two columns, the position and the moves, but here is a third");
        }
        Case::new(start, moves, handicap)
    }

    /// The case of an SFEN or `startpos` and moves separated by spaces. With a handicap `startpos`
    /// is its start.
    pub(super) fn new(
        start: &str,
        moves: &str,
        handicap: Option<Handicap>,
    ) -> anyhow::Result<Case> {
        let (start, move_number) = read_start(start, handicap)?;
        let mut words: Vec<&str> = moves.split_ascii_whitespace().collect();
        let close = match words.last() {
            Some(&"resign") => Some(Close::Resign),
            Some(&"win") => Some(Close::Declare),
            _ => None,
        };
        if close.is_some() {
            words.pop();
        }
        let moves = words.into_iter().zip(1..).map(|(word, number)| read_move(word, number));
        Ok(Case { start, move_number, moves: moves.collect::<Result<_, _>>()?, close })
    }

    /// The case of a record.
    pub(super) fn of_record(record: &Record) -> Case {
        let mut moves: Vec<_> = record.moves().iter().map(|&mv| Played::Move(mv)).collect();
        if let Some(foul) = record.unplayable() {
            moves.extend((0..foul.moves).map(|_| Played::Foul(foul.kind)));
        }
        Case {
            start: record.game().start().clone(),
            move_number: record.game().start_move_number(),
            moves,
            close: record.ending.map(Close::Told),
        }
    }

    /// The position after all moves, which must be legal.
    pub(super) fn position(&self) -> anyhow::Result<Position> {
        let mut position = self.start.clone();
        for mv in self.legal_moves()? {
            position.do_move(mv);
        }
        Ok(position)
    }

    /// All moves, which must be legal.
    pub(super) fn legal_moves(&self) -> anyhow::Result<Vec<Move>> {
        if self.close.is_some() {
            bail!("the moves end with resign or win, after which there is no position");
        }
        let mut position = self.start.clone();
        let mut moves = Vec::new();
        for (played, number) in self.moves.iter().zip(1..) {
            let illegal = |text: String, kind| anyhow!("move {number}{text} is illegal: {kind}");
            match played {
                Played::Move(mv) => {
                    position.classify(*mv).map_err(|kind| illegal(format!(", {mv},"), kind))?;
                    position.do_move(*mv);
                    moves.push(*mv);
                }
                Played::Foul(kind) => return Err(illegal(String::new(), *kind)),
            }
        }
        Ok(moves)
    }
}

/// Reads an SFEN or `startpos`; composed problems are welcome.
pub(super) fn read_start(
    text: &str,
    handicap: Option<Handicap>,
) -> anyhow::Result<(Position, u32)> {
    let text = text.trim();
    if text == "startpos" {
        return Ok((handicap.map_or_else(Position::startpos, Handicap::position), 1));
    }
    let sfen = text.strip_prefix("sfen ").unwrap_or(text);
    Position::from_problem_sfen(sfen).context("bad sfen")
}

fn read_move(word: &str, number: u32) -> anyhow::Result<Played> {
    let read: Result<Move, ParseMoveError> = word.parse();
    read.map(Played::Move).or_else(|error| match error.illegal_kind() {
        Some(kind) => Ok(Played::Foul(kind)),
        None => Err(error).with_context(|| format!("move {number}")),
    })
}
