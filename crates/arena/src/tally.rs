//! What a match adds up to.

use std::collections::BTreeMap;

use keiko_shogi::{Color, Outcome};

use crate::contest::PlayedGame;
use crate::statistics::{GamePoints, PairScore, Pentanomial, Trinomial};

/// Counts over the pairs of a match that count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by the first player's score.
    pub pairs: Pentanomial,
    /// Games by result, from the first player's side.
    pub games: Trinomial,
    /// The same by the first player's colour, by [`Color::index`].
    pub by_color: [Trinomial; 2],
    /// The same games from Black's side.
    pub black: Trinomial,
    /// Games by how they ended, under the reason's name: `illegal_move(nifu)`.
    pub reasons: BTreeMap<String, u64>,
    /// Pairs that were left out because one of their games had been played before.
    pub repeated_pairs: u64,
}

impl Tally {
    /// Counts a pair and returns its score.
    pub fn add(&mut self, games: &[PlayedGame; 2]) -> PairScore {
        for game in games {
            self.games.add(game.points());
            self.by_color[game.first_player.index()].add(game.points());
            self.black.add(points(game.end.outcome, Color::Black));
            *self.reasons.entry(game.end.reason.to_string()).or_default() += 1;
        }
        let score = PairScore::new(games[0].points(), games[1].points());
        self.pairs.add(score);
        score
    }
}

/// What `outcome` is worth to `color`.
pub(crate) fn points(outcome: Outcome, color: Color) -> GamePoints {
    match outcome.winner() {
        None => GamePoints::Draw,
        Some(winner) if winner == color => GamePoints::Win,
        Some(_) => GamePoints::Loss,
    }
}
