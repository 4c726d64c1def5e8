//! A game: a position with its whole history and the rules of the event.

mod end;
mod history;
mod impasse;
mod repetition;

pub use repetition::Repetition;

use crate::{IllegalKind, Move, MoveList, Position, Rules};

use history::History;

/// A game in progress, or one that is over and looked at again. Search walks it too.
///
/// It keeps every position since its start, so that repetition is judged over the full history.
/// Playing on after the end is possible; [`end`](Game::end) speaks of the current position.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    move_number: u32,
    rules: Rules,
    position: Position,
    moves: Vec<Move>,
    history: History,
}

impl Game {
    /// A game that starts at `position` with the move number `move_number` (1 for the first move
    /// of an even game). The start is the first occurrence of its position.
    pub fn new(position: Position, move_number: u32, rules: Rules) -> Game {
        let history = History::new(&position);
        Game { start: position.clone(), move_number, rules, position, moves: Vec::new(), history }
    }

    /// A game from the start position of its rules: that of the handicap, if there is one.
    pub fn startpos(rules: Rules) -> Game {
        let position = match rules.handicap {
            Some(handicap) => handicap.position(),
            None => Position::startpos(),
        };
        Game::new(position, 1, rules)
    }

    /// The current position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The rules in force.
    #[inline]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Moves played since the start.
    #[inline]
    pub const fn ply(&self) -> u32 {
        self.moves.len() as u32
    }

    /// The moves played since the start.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position at the start.
    #[inline]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// SFEN of the start, with its move number.
    pub fn start_sfen(&self) -> String {
        self.start.to_sfen(self.move_number)
    }

    /// The move number at the start.
    #[inline]
    pub const fn start_move_number(&self) -> u32 {
        self.move_number
    }

    /// SFEN of the current position, with its move number.
    pub fn sfen(&self) -> String {
        self.position.to_sfen(self.move_number.saturating_add(self.ply()))
    }

    /// Appends every legal move of the side to move.
    #[inline]
    pub fn legal_moves(&self, moves: &mut MoveList) {
        self.position.legal_moves(moves);
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is not legal.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.position.classify(mv), Ok(()), "{mv} in {:?}", self.position);
        let undo = self.position.do_move(mv);
        self.moves.push(mv);
        self.history.push(&self.position, undo, None);
    }

    /// Plays a move that may be a foul, as records of games contain them, and tells its kind;
    /// `None` for a legal move. A foul out of turn leaves the turn where it was.
    ///
    /// # Errors
    /// [`IllegalKind::ImpossibleMove`] if the pieces do not allow the move; nothing is played.
    pub fn play_any(&mut self, mv: Move) -> Result<Option<IllegalKind>, IllegalKind> {
        match self.position.classify(mv) {
            Ok(()) => {
                self.play(mv);
                Ok(None)
            }
            Err(IllegalKind::ImpossibleMove) => Err(IllegalKind::ImpossibleMove),
            Err(kind) => {
                if kind == IllegalKind::OutOfTurn {
                    self.position.pass();
                }
                let undo = self.position.do_any_move(mv);
                self.moves.push(mv);
                self.history.push(&self.position, undo, Some(kind));
                Ok(Some(kind))
            }
        }
    }

    /// Takes back the last move; does nothing at the start.
    #[inline]
    pub fn undo(&mut self) {
        if let Some(mv) = self.moves.pop() {
            let (undo, foul) = self.history.pop();
            self.position.undo_move(mv, undo);
            if foul == Some(IllegalKind::OutOfTurn) {
                self.position.pass();
            }
        }
    }
}
