use keiko_shogi::Outcome;

use super::Search;
use crate::Proof;
use crate::hands::Hands;

/// What the rules say about a position, for the side to move.
pub(super) enum Verdict {
    /// The result is certain; a draw is worth this score.
    Decided(Proof, f32),
    /// Counts as this result, which is not certain.
    Assumed(Proof),
    /// The game goes on. The side to move may end it by declaring a draw worth this score.
    Open(Option<f32>),
}

impl Search {
    /// Judges the position that the game stands at, below the root. If the game goes on, its legal
    /// moves are in `self.moves` afterwards.
    pub(super) fn judge(&mut self) -> Verdict {
        let side = self.game.position().side_to_move();
        if let Some(end) = self.game.end_with_moves() {
            let movable = self.game.position().has_legal_move();
            let end = if movable { end } else { self.game.end_without_moves() };
            return match end.outcome.winner() {
                None => Verdict::Decided(Proof::Draw, self.draws.of_reason(end.reason, side)),
                Some(winner) if winner == side => Verdict::Decided(Proof::Win, 0.0),
                Some(_) => Verdict::Decided(Proof::Loss, 0.0),
            };
        }
        let mut floor = None;
        if self.settings.declaration {
            match self.game.can_declare() {
                Some(Outcome::Draw) => floor = Some(self.draws.declared(side)),
                Some(outcome) if outcome.winner() == Some(side) => {
                    return Verdict::Decided(Proof::Win, 0.0);
                }
                _ => {}
            }
        }
        if self.settings.mate_in_one && self.game.position().mate_in_one().is_some() {
            return Verdict::Decided(Proof::Win, 0.0);
        }
        self.generate_moves();
        if self.moves.is_empty() {
            return Verdict::Decided(Proof::Loss, 0.0);
        }
        if let Some(result) = self.hands.as_ref().and_then(Hands::verdict) {
            return Verdict::Assumed(result);
        }
        if let Some(mates) = &mut self.mates_in_three
            && mates.is_there(&mut self.game, &self.moves)
        {
            return Verdict::Decided(Proof::Win, 0.0);
        }
        Verdict::Open(floor)
    }
}
