use super::Pentanomial;
use super::pentanomial::Regularised;

/// Normalised Elo of one unit of `(score - 1/2) / σ`, where σ is the standard deviation of a game's score: 800 / ln 10.
///
/// (Van den Bergh, "Normalized Elo" and "Normalized Elo: practical introduction".) It says how many games show a
/// difference, whatever the draw rate and the openings do to plain Elo.
const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// A difference in normalised Elo, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalizedElo {
    /// Lower end.
    pub low: f64,
    /// The estimate.
    pub value: f64,
    /// Upper end.
    pub high: f64,
}

/// Half the width of a 95 % interval in standard errors.
const STANDARD_ERRORS_95: f64 = 1.959_963_984_540_054;

impl NormalizedElo {
    /// The first player's advantage by the pairs played; `None` before the first pair and while all pairs have the
    /// same score, for then there is no deviation to compare with.
    pub fn from_pairs(pairs: &Pentanomial) -> Option<NormalizedElo> {
        let (mean, variance) = pairs.mean_and_variance()?;
        if variance <= 0.0 {
            return None;
        }
        // A pair's mean of two games has half a game's variance.
        let t = (mean - 0.5) / (2.0 * variance).sqrt();
        let margin = STANDARD_ERRORS_95 / (2.0 * pairs.pairs() as f64).sqrt();
        let [low, value, high] = [t - margin, t, t + margin].map(|t| t * NORMALIZED_ELO);
        Some(NormalizedElo { low, value, high })
    }
}

/// The log-likelihood ratio of a normalised difference of `elo1` over one of `elo0`: the pairs' likelihood under the
/// most likely distribution of scores that has the one difference, over that under the other.
pub(super) fn llr(pairs: &Pentanomial, elo0: f64, elo1: f64) -> f64 {
    let sample = pairs.regularised();
    // Per pair: a pair's mean has half a game's variance, which makes its t larger by the root of 2.
    let t = |elo: f64| elo / NORMALIZED_ELO * std::f64::consts::SQRT_2;
    let [shares0, shares1] = [elo0, elo1].map(|elo| most_likely(&sample, t(elo)));
    let log = |index: usize| (shares1[index] / shares0[index]).ln();
    (0..5).map(|index| sample.counts[index] * log(index)).sum()
}

/// How often the linearised constraint is renewed at most; five times are the rule.
const ROUNDS: u32 = 50;

/// The most likely shares of the five scores among those with `(mean - 1/2) = t σ`.
///
/// The constraint is not linear: it is replaced by its tangent at the shares found so far, `Σ p g = 0` with
/// `g = a - 1/2 - t σ / 2 (1 + ((a - mean) / σ)²)` for the score `a`, until nothing changes any more.
fn most_likely(sample: &Regularised, t: f64) -> [f64; 5] {
    let seen = sample.counts.map(|count| count / sample.pairs);
    let mut shares = [0.2; 5];
    for _ in 0..ROUNDS {
        let mean: f64 = (0..5).map(|index| shares[index] * score(index)).sum();
        let variance: f64 = (0..5).map(|index| shares[index] * (score(index) - mean).powi(2)).sum();
        let sigma = variance.max(f64::MIN_POSITIVE).sqrt();
        let slopes = [0, 1, 2, 3, 4].map(|index| {
            let apart = (score(index) - mean) / sigma;
            score(index) - 0.5 - t * sigma / 2.0 * (1.0 + apart * apart)
        });
        let next = tilted(&seen, &slopes);
        let change = (0..5).map(|index| (next[index] - shares[index]).abs()).fold(0.0, f64::max);
        shares = next;
        if change < 1e-9 {
            break;
        }
    }
    shares
}

/// Halvings of the range of θ, to a part in 10^13.
const BISECTIONS: u32 = 44;

/// The most likely shares with `Σ p g = 0`: `p = seen / (1 + θ g)`, with the θ that fulfils it.
fn tilted(seen: &[f64; 5], slopes: &[f64; 5]) -> [f64; 5] {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return *seen;
    }
    // The sum falls from plus to minus infinity between the poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        let sum: f64 = seen
            .iter()
            .zip(slopes)
            .map(|(share, slope)| share * slope / (1.0 + middle * slope))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let tilt = f64::midpoint(low, high);
    [0, 1, 2, 3, 4].map(|index| seen[index] / (1.0 + tilt * slopes[index]))
}

fn score(index: usize) -> f64 {
    index as f64 / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_match_has_its_published_figures() {
        // Printed by fastchess: 78 games, nElo 1056.68 +- 77.10, LLR 2.96 for normalised Elo of 0 and 20.
        let pairs = Pentanomial { counts: [0, 0, 2, 0, 37] };
        let elo = NormalizedElo::from_pairs(&pairs).unwrap();
        assert!((elo.value - 1056.68).abs() < 0.005, "{elo:?}");
        assert!(((elo.high - elo.low) / 2.0 - 77.10).abs() < 0.005, "{elo:?}");
        let llr = llr(&pairs, 0.0, 20.0);
        assert!((llr - 2.96).abs() < 0.01, "{llr}");
    }

    #[test]
    fn near_zero_it_is_the_normal_approximation() {
        // N/2 ln((1 + (t - t0)²) / (1 + (t - t1)²)) over games (Van den Bergh, section 4.1).
        let pairs = Pentanomial { counts: [100, 400, 900, 450, 150] };
        let t = NormalizedElo::from_pairs(&pairs).unwrap().value / NORMALIZED_ELO;
        let (t0, t1) = (0.0 / NORMALIZED_ELO, 5.0 / NORMALIZED_ELO);
        let games = 2.0 * pairs.pairs() as f64;
        let expected = games / 2.0 * ((1.0 + (t - t0).powi(2)) / (1.0 + (t - t1).powi(2))).ln();
        let found = llr(&pairs, 0.0, 5.0);
        assert!((found - expected).abs() < 0.01 * expected.abs(), "{found} {expected}");
    }

    #[test]
    fn the_ratio_changes_sign_with_players_and_hypotheses() {
        let ours = llr(&Pentanomial { counts: [3, 9, 30, 14, 6] }, 0.0, 10.0);
        let theirs = llr(&Pentanomial { counts: [6, 14, 30, 9, 3] }, -10.0, 0.0);
        assert!((ours + theirs).abs() < 1e-6, "{ours} {theirs}");
    }

    #[test]
    fn no_deviation_is_no_estimate() {
        assert_eq!(NormalizedElo::from_pairs(&Pentanomial::default()), None);
        assert_eq!(NormalizedElo::from_pairs(&Pentanomial { counts: [0, 0, 9, 0, 0] }), None);
    }
}
