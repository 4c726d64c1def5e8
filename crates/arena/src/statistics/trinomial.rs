use serde::{Deserialize, Serialize};

/// What one game was worth to the first player of the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GamePoints {
    /// The first player lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The first player won.
    Win,
}

impl GamePoints {
    /// 0 for a loss, 1 for a draw, 2 for a win.
    pub fn half_points(self) -> u8 {
        match self {
            GamePoints::Loss => 0,
            GamePoints::Draw => 1,
            GamePoints::Win => 2,
        }
    }
}

/// Games by result, from the first player's side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trinomial {
    /// Games the first player won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games the first player lost.
    pub losses: u64,
}

impl Trinomial {
    /// Counts one game.
    pub fn add(&mut self, points: GamePoints) {
        match points {
            GamePoints::Loss => self.losses += 1,
            GamePoints::Draw => self.draws += 1,
            GamePoints::Win => self.wins += 1,
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The first player's points a game, 0..=1; 0.5 before the first game.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_counts_a_draw_as_half_a_win() {
        let mut games = Trinomial::default();
        assert!((games.score() - 0.5).abs() < 1e-12);
        for points in [GamePoints::Win, GamePoints::Win, GamePoints::Draw, GamePoints::Loss] {
            games.add(points);
        }
        assert_eq!(games, Trinomial { wins: 2, draws: 1, losses: 1 });
        assert!((games.score() - 0.625).abs() < 1e-12);
    }
}
