use super::Pentanomial;

/// Normalised Elo of one unit of `(score - 1/2) / σ`, where σ is the standard deviation of a game's score: 800 / ln 10.
///
/// (Van den Bergh, "Normalized Elo" and "Normalized Elo: practical introduction".) It says how many games show a
/// difference, whatever the draw rate and the openings do to plain Elo.
pub(super) const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_match_has_its_published_figures() {
        // Printed by fastchess: 78 games, nElo 1056.68 +- 77.10.
        let pairs = Pentanomial { counts: [0, 0, 2, 0, 37] };
        let elo = NormalizedElo::from_pairs(&pairs).unwrap();
        assert!((elo.value - 1056.68).abs() < 0.005, "{elo:?}");
        assert!(((elo.high - elo.low) / 2.0 - 77.10).abs() < 0.005, "{elo:?}");
    }

    #[test]
    fn no_deviation_is_no_estimate() {
        assert_eq!(NormalizedElo::from_pairs(&Pentanomial::default()), None);
        assert_eq!(NormalizedElo::from_pairs(&Pentanomial { counts: [0, 0, 9, 0, 0] }), None);
    }
}
