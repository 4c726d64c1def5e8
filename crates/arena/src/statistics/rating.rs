//! Ratings of many players at once.

use std::collections::BTreeMap;

use keiko_shogi::Outcome;

use connection::Connection;
use fit::Fit;

pub use normal::normal_cdf;

mod connection;
mod fit;
mod matrix;
mod normal;

/// Elo of one unit of log-odds.
const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// Half the width of a 95 % interval in standard errors.
const STANDARD_ERRORS_95: f64 = 1.959_963_984_540_054;

/// By how much the log-likelihood may fall short of its maximum inside a 95 % likelihood-ratio interval: half the
/// 95 % point of chi-squared with one degree of freedom.
const LOG_LIKELIHOOD_95: f64 = 1.920_729_410_347_062;

/// Games of a pool of players, to be rated together.
///
/// The model is Bradley and Terry's with Davidson's draws (Davidson 1970, "On extending the Bradley-Terry model to
/// accommodate ties in paired comparison experiments", JASA 65) and an advantage of the first move as in Davidson and
/// Beaver 1977 ("On extending the Bradley-Terry model to incorporate within-pair order effects", Biometrics 33): with
/// the difference `d` of strength, Black's advantage included, a win of Black, a draw and a loss are as likely as
/// `exp(d/2)`, `ν` and `exp(-d/2)`. 400 Elo are odds of ten to one between winning and losing; with draws the expected
/// score is therefore a little nearer to one half than the logistic curve has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingPool {
    anchors: Vec<Option<f64>>,
    /// Black's wins, draws and losses, by Black and White.
    results: BTreeMap<(usize, usize), [u64; 3]>,
}

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Lower end.
    pub low: f64,
    /// The most likely value.
    pub value: f64,
    /// Upper end.
    pub high: f64,
}

/// What is known about a player's strength, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rating {
    /// Fixed beforehand.
    Anchor(f64),
    /// The most likely rating, with the interval that the Fisher information gives.
    Fitted(Estimate),
    /// It lost no point that counts: its games only say that it is stronger than this (95 %), if it met a rated player
    /// at all.
    Above(Option<f64>),
    /// It won no point that counts: weaker than this.
    Below(Option<f64>),
    /// No games connect it with the rated players.
    Unknown,
}

/// Ratings of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// By player.
    pub ratings: Vec<Rating>,
    /// What having Black is worth, in Elo. None where the games do not say, as when Black won all of them; it is taken as
    /// 0 then.
    pub advantage: Option<Estimate>,
    /// Draws between equal players, Black's advantage made up for, for each game that is won or lost: `ν / 2`. None
    /// where there are no draws, or too few games besides; with draws it is taken as 0.05 then.
    pub draws: Option<Estimate>,
    fit: Fit,
}

impl RatingPool {
    /// A pool without games. `anchors` has an entry for each player: its rating, where that is fixed. Without any
    /// anchor the rated players' mean is 0.
    pub fn new(anchors: Vec<Option<f64>>) -> RatingPool {
        RatingPool { anchors, results: BTreeMap::new() }
    }

    /// Counts a game between two different players of the pool; another pair of numbers is passed over.
    pub fn add(&mut self, black: usize, white: usize, outcome: Outcome) {
        if black == white || black.max(white) >= self.anchors.len() {
            return;
        }
        let counts = self.results.entry((black, white)).or_default();
        counts[match outcome {
            Outcome::BlackWins => 0,
            Outcome::Draw => 1,
            Outcome::WhiteWins => 2,
        }] += 1;
    }

    /// Whether the scale is fixed from outside.
    pub fn is_anchored(&self) -> bool {
        self.anchors.iter().any(Option::is_some)
    }

    /// The most likely ratings. Maximum likelihood has a finite answer only for players that gained and lost points
    /// among each other (Ford 1957); the others are bounded from one side.
    pub fn fit(&self) -> Ratings {
        let connection = Connection::of(self);
        let fit = Fit::new(self, connection.rated());
        let ratings = (0..self.anchors.len())
            .map(|player| match (self.anchors[player], connection.rated()[player]) {
                (Some(elo), _) => Rating::Anchor(elo),
                (None, true) => Rating::Fitted(fit.rating(player)),
                (None, false) => match connection.above(player) {
                    Some(true) => Rating::Above(fit.bound(self, player, true)),
                    Some(false) => Rating::Below(fit.bound(self, player, false)),
                    None => Rating::Unknown,
                },
            })
            .collect();
        Ratings { ratings, advantage: fit.advantage(), draws: fit.draws(), fit }
    }
}

impl Ratings {
    /// The probability that the first of two rated players is the stronger one, given a flat prior; none where one of
    /// them is not rated or both are fixed.
    pub fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        let (difference, variance) = self.fit.difference(first, second)?;
        (variance > 0.0).then(|| normal_cdf(difference / variance.sqrt()))
    }
}

impl Estimate {
    fn new(value: f64, variance: f64) -> Estimate {
        let margin = STANDARD_ERRORS_95 * variance.max(0.0).sqrt();
        Estimate { low: value - margin, value, high: value + margin }
    }
}

#[cfg(test)]
mod tests;
