//! Records of games, whatever format they come from or go to.

mod clock;
mod ending;
mod error;
mod evaluation;
mod format;
mod header;
mod note;
mod per_move;
mod reader;
mod usi;

pub use clock::Clock;
pub use ending::{Ending, ParseRecordReasonError, RecordReason};
pub use error::RecordError;
pub use evaluation::Evaluation;
pub use format::{Loss, ParseRecordFormatError, RecordFormat};
pub use header::Header;
pub use note::Note;
pub use per_move::{SCORES_CP, TIMES_MS, per_move};
pub use reader::{LARGEST_GAME_BYTES, ReadError, RecordReader};

pub(crate) use ending::END_REASON;

use keiko_shogi::{Color, Game, Handicap, IllegalKind, Move, Position, Rules};

/// A game as it was recorded: start, moves, what was noted beside them, and how it ended.
///
/// The moves are those that the pieces allow. Fouls are among them: records have games that went on after
/// one, and whether it decides the game is the business of a referee.
#[derive(Clone, Debug)]
pub struct Record {
    /// Names, event, dates and clocks.
    pub header: Header,
    /// Comments before the first move, each one line.
    pub comments: Vec<String>,
    /// How the game ended, as the record tells it; `None` if it does not.
    pub ending: Option<Ending>,
    /// Time and comments at the end.
    pub end_note: Note,
    game: Game,
    notes: Vec<Note>,
    unplayable: Option<Unplayable>,
    variations: u32,
}

/// A move of a record that the pieces do not allow, so that nothing after it can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplayable {
    /// The line of the text, from 1.
    pub line: u32,
    /// The move as it was written.
    pub text: String,
    /// What is wrong with it.
    pub kind: IllegalKind,
    /// How many moves were written from it on.
    pub moves: u32,
}

impl Record {
    /// A game without moves from `start`, whose move number is `move_number`.
    #[must_use]
    pub fn new(start: Position, move_number: u32) -> Self {
        let rules = Rules { handicap: Handicap::of_position(&start), ..Rules::STANDARD };
        Self {
            header: Header::default(),
            comments: Vec::new(),
            ending: None,
            end_note: Note::default(),
            game: Game::new(start, move_number, rules),
            notes: Vec::new(),
            unplayable: None,
            variations: 0,
        }
    }

    /// Appends a move, which may be a foul, and tells its kind; `None` for a legal move.
    ///
    /// # Errors
    ///
    /// [`IllegalKind::ImpossibleMove`] if the pieces do not allow the move; nothing is appended.
    pub fn push(&mut self, mv: Move) -> Result<Option<IllegalKind>, IllegalKind> {
        let kind = self.game.play_any(mv)?;
        self.notes.push(Note::default());
        Ok(kind)
    }

    /// The game after its moves, with its start and history.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The moves in order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        self.game.moves()
    }

    /// What is noted at each move, in the order of [`moves`](Self::moves).
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What is noted at the last move or, after the ending, at the end; `None` before the first move.
    pub fn last_note(&mut self) -> Option<&mut Note> {
        if self.ending.is_some() { Some(&mut self.end_note) } else { self.notes.last_mut() }
    }

    /// Adds a comment where the record is now: before the moves, at the last one, or at the end. Its lines
    /// become comments of one line each; one like `* 123 -3334FU`, a number and moves in CSA notation, is
    /// the [`Evaluation`] of the position after the last move.
    pub fn comment(&mut self, text: &str) {
        for line in text.split(['\n', '\r']) {
            let position = self.game.position().clone();
            match self.last_note() {
                Some(note) => note.comment(line, &position),
                None => self.comments.push(line.to_owned()),
            }
        }
    }

    /// The move that ends what can be replayed, if there is one.
    #[must_use]
    pub fn unplayable(&self) -> Option<&Unplayable> {
        self.unplayable.as_ref()
    }

    /// How many variations the text had beside its main line; they are not kept.
    #[must_use]
    pub fn variations(&self) -> u32 {
        self.variations
    }

    /// The side whose turn it is at the end, moves that could not be replayed included.
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        let side = self.game.position().side_to_move();
        let skipped = self.unplayable.as_ref().map_or(0, |unplayable| unplayable.moves);
        if skipped.is_multiple_of(2) { side } else { !side }
    }

    /// Calls `visit` with each move, the position before it, its note, and the position after it.
    pub(crate) fn each(&self, mut visit: impl FnMut(Move, &Position, &Note, &Position)) {
        let start = self.game.start().clone();
        let mut game = Game::new(start, self.game.start_move_number(), *self.game.rules());
        for (&mv, note) in self.moves().iter().zip(&self.notes) {
            let before = game.position().clone();
            // The moves were played once already.
            let _ = game.play_any(mv);
            visit(mv, &before, note, game.position());
        }
    }

    /// Takes a move that was read in line `line` as `text`: appends it, or notes that nothing can be
    /// replayed from it on.
    pub(crate) fn take(&mut self, mv: Result<Move, IllegalKind>, line: u32, text: &str) {
        if let Some(unplayable) = &mut self.unplayable {
            unplayable.moves += 1;
            return;
        }
        if let Err(kind) = mv.and_then(|mv| self.push(mv)) {
            let text = crate::text::excerpt(text);
            self.unplayable = Some(Unplayable { line, text, kind, moves: 1 });
        }
    }

    pub(crate) fn add_variation(&mut self) {
        self.variations += 1;
    }
}

impl PartialEq for Record {
    /// Whether both tell the same.
    fn eq(&self, other: &Self) -> bool {
        let start = |game: &Game| (game.start().clone(), game.start_move_number());
        start(&self.game) == start(&other.game)
            && self.moves() == other.moves()
            && self.notes == other.notes
            && self.header == other.header
            && self.comments == other.comments
            && self.ending == other.ending
            && self.end_note == other.end_note
            && self.unplayable == other.unplayable
            && self.variations == other.variations
    }
}
