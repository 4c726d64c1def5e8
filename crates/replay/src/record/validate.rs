//! Whether a record keeps the rules.

use keiko_shogi::{EndReason, Game, GameEnd, Move, MoveList, Position};
use keiko_store::check_key;

use super::{GameRecord, PlyRecord, RecordError, SearchKind};

impl GameRecord {
    /// Replays the game: every move is legal, no move follows an end, policies hold legal moves only,
    /// and the recorded reason and outcome are what the rules say at the last position.
    ///
    /// # Errors
    ///
    /// The first contradiction found.
    pub fn validate(&self) -> Result<(), RecordError> {
        self.check_fields()?;
        let mut game = self.start_game()?;
        let mut legal = MoveList::new();
        let mut legal_bits = Vec::new();
        for (i, ply) in self.plies.iter().enumerate() {
            if let Some(end) = game.end() {
                return Err(RecordError::PlayedOn { ply: i, reason: end.reason });
            }
            check_ply(self, i, ply)?;
            legal.clear();
            game.legal_moves(&mut legal);
            legal_bits.clear();
            legal_bits.extend(legal.iter().map(|mv| mv.to_bits()));
            legal_bits.sort_unstable();
            let is_legal = |mv: Move| legal_bits.binary_search(&mv.to_bits()).is_ok();
            let listed = ply.policy.pairs().iter().chain(ply.raw_policy.pairs());
            let mut moves = listed.map(|&(mv, _)| mv).chain([ply.mv]);
            if let Some(mv) = moves.find(|&mv| !is_legal(mv)) {
                return Err(RecordError::IllegalMove { ply: i, mv });
            }
            game.play(ply.mv);
        }
        self.check_end(&game)
    }

    /// The game at its start position.
    ///
    /// # Errors
    ///
    /// [`RecordError::Start`] if the start position is none.
    pub fn start_game(&self) -> Result<Game, RecordError> {
        let (position, move_number) = Position::from_sfen(&self.start)?;
        Ok(Game::new(position, move_number, self.rules))
    }

    fn check_fields(&self) -> Result<(), RecordError> {
        let field = |field, value: &str| RecordError::Field { field, value: format!("{value:?}") };
        if !is_name(&self.stream, 64) {
            return Err(field("stream", &self.stream));
        }
        if self.models.is_empty() {
            return Err(field("models", ""));
        }
        if let Some(model) = self.models.iter().find(|model| !is_name(model, 80)) {
            return Err(field("models", model));
        }
        let draws = self.draw_values;
        for value in [draws.sennichite, draws.jishogi, draws.max_plies] {
            if !(0.0..=1.0).contains(&value) {
                return Err(field("draw_values", &value.to_string()));
            }
        }
        if self.plies.len() > usize::from(u16::MAX) {
            return Err(field("plies", &self.plies.len().to_string()));
        }
        Ok(())
    }

    fn check_end(&self, game: &Game) -> Result<(), RecordError> {
        let wrong = || RecordError::End { reason: self.end, outcome: self.outcome };
        let mover = game.position().side_to_move();
        let by_rule = game.end();
        let holds = match self.end {
            EndReason::Resignation | EndReason::TimeForfeit | EndReason::IllegalMove(_) => {
                by_rule.is_none() && self.outcome.winner() == Some(mover.opponent())
            }
            EndReason::NyugyokuDeclaration
            | EndReason::FailedDeclaration
            | EndReason::Jishogi
            | EndReason::Try => match by_rule {
                Some(end) => self.is_end(&end),
                None => {
                    self.is_end(&game.declare(None))
                        || game.agree().is_some_and(|end| self.is_end(&end))
                }
            },
            EndReason::Checkmate
            | EndReason::NoLegalMove
            | EndReason::Sennichite
            | EndReason::PerpetualCheck
            | EndReason::MaxPlies => by_rule.is_some_and(|end| self.is_end(&end)),
            EndReason::Aborted => false,
        };
        if holds { Ok(()) } else { Err(wrong()) }
    }

    fn is_end(&self, end: &GameEnd) -> bool {
        end.reason == self.end && end.outcome == self.outcome
    }
}

fn check_ply(game: &GameRecord, i: usize, ply: &PlyRecord) -> Result<(), RecordError> {
    let problem = if usize::from(ply.model) >= game.models.len() {
        "its model is not listed"
    } else if (ply.search == SearchKind::None) != (ply.root_visits == 0) {
        "visits and kind of search contradict each other"
    } else if ply.search == SearchKind::Full && ply.policy.is_empty() {
        "a full search without a policy"
    } else if ply.search == SearchKind::None && !ply.policy.is_empty() {
        "a policy without a search"
    } else {
        return Ok(());
    };
    Err(RecordError::Ply { ply: i, problem })
}

/// Whether `text` is a plain name of at most `max` bytes.
pub(crate) fn is_name(text: &str, max: usize) -> bool {
    text.len() <= max && !text.contains('/') && check_key(text).is_ok()
}
