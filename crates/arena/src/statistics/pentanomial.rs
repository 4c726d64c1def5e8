use serde::{Deserialize, Serialize};

use super::PairScore;

/// Pairs by score of the first player: how often it made 0, ½, 1, 1½ and 2 points of 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial {
    /// Pairs by half points, index 0 (both games lost) ..= 4 (both won).
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Counts one pair.
    pub fn add(&mut self, score: PairScore) {
        self.counts[usize::from(score.half_points())] += 1;
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Mean points a game, 0..=1, and the variance of one pair's mean points; `None` before the first pair.
    pub fn mean_and_variance(&self) -> Option<(f64, f64)> {
        (self.pairs() > 0).then(|| moments(&self.counts.map(|count| count as f64)))
    }

    /// The counts with every empty one set to [`REGULARISATION`]: what the sequential test uses, so that no score is
    /// impossible because it has not been seen.
    pub(super) fn regularised(&self) -> Regularised {
        let counts =
            self.counts.map(|count| if count == 0 { REGULARISATION } else { count as f64 });
        Regularised { counts }
    }
}

/// What an empty count is taken as by the sequential test, in pairs.
const REGULARISATION: f64 = 1e-3;

/// Counts of which none is 0.
pub(super) struct Regularised {
    /// The counts, in pairs.
    pub(super) counts: [f64; 5],
}

impl Regularised {
    /// The counts as shares, which sum to 1.
    pub(super) fn shares(&self) -> [f64; 5] {
        let pairs: f64 = self.counts.iter().sum();
        self.counts.map(|count| count / pairs)
    }
}

fn moments(counts: &[f64; 5]) -> (f64, f64) {
    let pairs: f64 = counts.iter().sum();
    let points = |index: usize| index as f64 / 4.0;
    let mean = counts.iter().enumerate().map(|(i, n)| n * points(i)).sum::<f64>() / pairs;
    let variance =
        counts.iter().enumerate().map(|(i, n)| n * (points(i) - mean).powi(2)).sum::<f64>() / pairs;
    (mean, variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_worked_out_by_hand() {
        // Ten pairs: 1 x 0, 2 x 1/4, 3 x 1/2, 2 x 3/4, 2 x 1. Mean 5.5/10; sum of squared differences 0.975.
        let pairs = Pentanomial { counts: [1, 2, 3, 2, 2] };
        let (mean, variance) = pairs.mean_and_variance().unwrap();
        assert!((mean - 0.55).abs() < 1e-12);
        assert!((variance - 0.0975).abs() < 1e-12);
        assert!(Pentanomial::default().mean_and_variance().is_none());
    }
}
