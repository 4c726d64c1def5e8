//! What is noted at a move.

use keiko_shogi::Position;

use super::Evaluation;

/// What a record says beside a move or at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Time taken, in milliseconds.
    pub time_ms: Option<u64>,
    /// What the player's program thought of the position after the move.
    pub evaluation: Option<Evaluation>,
    /// Comments, each one line.
    pub comments: Vec<String>,
}

impl Note {
    /// Adds a comment of one line, or the evaluation that it holds; `position` is the one after the move.
    pub(crate) fn comment(&mut self, text: &str, position: &Position) {
        if self.evaluation.is_none()
            && let Some(evaluation) = Evaluation::parse(text, position)
        {
            self.evaluation = Some(evaluation);
            return;
        }
        self.comments.push(text.to_owned());
    }

    /// The comments as records have them, the evaluation first.
    pub(crate) fn lines(&self, position: &Position) -> impl Iterator<Item = String> {
        let evaluation = self.evaluation.as_ref().map(|evaluation| evaluation.text(position));
        evaluation.into_iter().chain(self.comments.iter().cloned())
    }
}
