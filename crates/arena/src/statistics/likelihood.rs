//! What a sequential test weighs: how likely the pairs are at most under each of two hypotheses.

use super::normalized::NORMALIZED_ELO;
use super::pentanomial::Regularised;
use super::{Elo, EloScale, Pentanomial};

/// The log-likelihood ratio of a difference of `elo1` over one of `elo0`: the pairs' likelihood under the most likely
/// distribution of scores that has the one difference, over that under the other. 0 before the first pair.
///
/// (Van den Bergh, "A practical introduction to the GSPRT", section 2, and "Normalized Elo: practical introduction".)
/// Its normal approximation, which divides by the variance of the pairs so far, is quicker to be wrong: a few pairs
/// that happen to be alike seem to say everything.
pub(super) fn llr(pairs: &Pentanomial, scale: EloScale, [elo0, elo1]: [f64; 2]) -> f64 {
    if pairs.pairs() == 0 {
        return 0.0;
    }
    let sample = pairs.regularised();
    let [shares0, shares1] = [elo0, elo1].map(|elo| match scale {
        EloScale::Logistic => with_score(&sample, Elo(elo).score()),
        // A pair's mean has half a game's variance, which makes its t larger by the root of 2.
        EloScale::Normalized => {
            with_deviation(&sample, elo / NORMALIZED_ELO * std::f64::consts::SQRT_2)
        }
    });
    let log = |index: usize| (shares1[index] / shares0[index]).ln();
    (0..5).map(|index| sample.counts[index] * log(index)).sum()
}

/// The most likely shares of the five scores among those with this mean.
fn with_score(sample: &Regularised, mean: f64) -> [f64; 5] {
    tilted(&sample.shares(), &[0, 1, 2, 3, 4].map(|index| score(index) - mean))
}

/// How often the linearised constraint is renewed at most; five times are the rule.
const ROUNDS: u32 = 50;

/// The most likely shares of the five scores among those with `(mean - 1/2) = t σ`.
///
/// The constraint is not linear: it is replaced by its tangent at the shares found so far, `Σ p g = 0` with
/// `g = a - 1/2 - t σ / 2 (1 + ((a - mean) / σ)²)` for the score `a`, until nothing changes any more.
fn with_deviation(sample: &Regularised, t: f64) -> [f64; 5] {
    let seen = sample.shares();
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

    fn logistic(counts: [u64; 5], elos: [f64; 2]) -> f64 {
        llr(&Pentanomial { counts }, EloScale::Logistic, elos)
    }

    fn normalized(counts: [u64; 5], elos: [f64; 2]) -> f64 {
        llr(&Pentanomial { counts }, EloScale::Normalized, elos)
    }

    #[test]
    fn two_scores_have_a_closed_form() {
        // Only the share of the pairs won is free: 9 won twice and 4 lost twice are 9 ln(s1 / s0) + 4 ln(..).
        let [s0, s1] = [0.0, 80.0].map(|elo| Elo(elo).score());
        let expected = 9.0 * (s1 / s0).ln() + 4.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        let found = logistic([4, 0, 0, 0, 9], [0.0, 80.0]);
        assert!((found - expected).abs() < 0.01, "{found} {expected}");
        // Eight pairs won out of eight: at most ln(s1 / s0) each.
        let found = logistic([0, 0, 0, 0, 8], [0.0, 80.0]);
        assert!((found - 8.0 * (s1 / s0).ln()).abs() < 0.01, "{found}");
    }

    #[test]
    fn a_published_match_has_its_published_ratio() {
        // Printed by fastchess: LLR 2.96 for normalised Elo of 0 and 20.
        let llr = normalized([0, 0, 2, 0, 37], [0.0, 20.0]);
        assert!((llr - 2.96).abs() < 0.01, "{llr}");
    }

    #[test]
    fn many_pairs_have_the_normal_approximation() {
        // That of ShogiArena 1.3.2 (`compute_llr`): N (m - (s0 + s1) / 2) (s1 - s0) / v.
        for (counts, expected) in
            [([100, 400, 900, 450, 150], 5.787_033), ([1000, 2000, 3000, 2000, 2000], 63.165_505)]
        {
            let found = logistic(counts, [0.0, 10.0]);
            assert!((found - expected).abs() < 0.02 * expected, "{found} {expected}");
        }
        // N/2 ln((1 + (t - t0)²) / (1 + (t - t1)²)) over games (Van den Bergh, section 4.1).
        let pairs = Pentanomial { counts: [100, 400, 900, 450, 150] };
        let (mean, variance) = pairs.mean_and_variance().unwrap();
        let t = (mean - 0.5) / (2.0 * variance).sqrt();
        let (t0, t1) = (0.0 / NORMALIZED_ELO, 5.0 / NORMALIZED_ELO);
        let games = 2.0 * pairs.pairs() as f64;
        let expected = games / 2.0 * ((1.0 + (t - t0).powi(2)) / (1.0 + (t - t1).powi(2))).ln();
        let found = normalized(pairs.counts, [0.0, 5.0]);
        assert!((found - expected).abs() < 0.01 * expected.abs(), "{found} {expected}");
    }

    #[test]
    fn the_ratio_changes_sign_with_players_and_hypotheses() {
        for of in [logistic, normalized] {
            let ours = of([3, 9, 30, 14, 6], [0.0, 10.0]);
            let theirs = of([6, 14, 30, 9, 3], [-10.0, 0.0]);
            assert!((ours + theirs).abs() < 1e-6, "{ours} {theirs}");
            assert!(of([0; 5], [0.0, 10.0]).abs() < 1e-15);
        }
    }
}
