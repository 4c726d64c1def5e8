use super::Pentanomial;

/// Half the width of a 95 % interval in standard errors.
const STANDARD_ERRORS_95: f64 = 1.959_963_984_540_054;

/// How likely what an end of a 95 % interval takes for true is to have shown itself as little as it did.
const UNSEEN: f64 = 0.025;

/// A difference in strength on the logistic scale: 400 points are odds of ten to one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Elo(pub f64);

impl Elo {
    /// The difference that scores `score` points a game (0..=1); infinite at the ends.
    pub fn from_score(score: f64) -> Elo {
        Elo(if score <= 0.0 {
            f64::NEG_INFINITY
        } else if score >= 1.0 {
            f64::INFINITY
        } else {
            -400.0 * (1.0 / score - 1.0).log10()
        })
    }

    /// Points a game expected at this difference, 0..=1.
    pub fn score(self) -> f64 {
        1.0 / (1.0 + 10f64.powf(-self.0 / 400.0))
    }
}

/// An estimated difference with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloInterval {
    /// Lower end.
    pub low: Elo,
    /// The estimate from the mean score.
    pub estimate: Elo,
    /// Upper end.
    pub high: Elo,
}

impl EloInterval {
    /// The first player's advantage over the second by the pairs played; `None` before the first pair.
    ///
    /// The interval is the normal one of the mean score (mean ± 1.96 standard errors over pairs), mapped to Elo. Where
    /// all pairs have the same score their variance says nothing: then other scores may have such a share that none
    /// of it is seen with a probability of 2.5 %, and they are the worst at the lower end and the best at the upper.
    pub fn from_pairs(pairs: &Pentanomial) -> Option<EloInterval> {
        let (mean, variance) = pairs.mean_and_variance()?;
        let count = pairs.pairs() as f64;
        let (low, high) = if pairs.counts.iter().filter(|&&count| count > 0).count() == 1 {
            let seen = UNSEEN.powf(1.0 / count);
            (seen * mean, seen * mean + (1.0 - seen))
        } else {
            let margin = STANDARD_ERRORS_95 * (variance / count).sqrt();
            (mean - margin, mean + margin)
        };
        let estimate = Elo::from_score(mean);
        Some(EloInterval { low: Elo::from_score(low), estimate, high: Elo::from_score(high) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_its_known_points() {
        for (score, elo) in [(0.5, 0.0), (10.0 / 11.0, 400.0), (0.75, 190.848_501_887_864_98)] {
            assert!((Elo::from_score(score).0 - elo).abs() < 1e-9, "{score}");
            assert!((Elo(elo).score() - score).abs() < 1e-12, "{elo}");
        }
        assert_eq!(Elo::from_score(1.0), Elo(f64::INFINITY));
        assert_eq!(Elo::from_score(-0.1), Elo(f64::NEG_INFINITY));
    }

    #[test]
    fn the_interval_uses_pairs_not_games() {
        // 100 pairs, mean 0.55 and variance 0.0975 (see the pentanomial test): standard error 0.031225.
        let pairs = Pentanomial { counts: [10, 20, 30, 20, 20] };
        let elo = EloInterval::from_pairs(&pairs).unwrap();
        assert!((elo.estimate.0 - 34.860_070).abs() < 1e-5, "{elo:?}");
        assert!((elo.low.0 - -7.783_759).abs() < 1e-5, "{elo:?}");
        assert!((elo.high.0 - 78.582_730).abs() < 1e-5, "{elo:?}");
        assert!(EloInterval::from_pairs(&Pentanomial::default()).is_none());
    }

    #[test]
    fn pairs_that_are_all_alike_have_an_interval_too() {
        let of = |counts| EloInterval::from_pairs(&Pentanomial { counts }).unwrap();
        // 0.025^(1/12) = 0.735: odds of 2.78 to 1.
        let swept = of([0, 0, 0, 0, 12]);
        assert!((swept.low.0 - 177.5).abs() < 0.5, "{swept:?}");
        assert_eq!((swept.estimate, swept.high), (Elo(f64::INFINITY), Elo(f64::INFINITY)));
        let lost = of([12, 0, 0, 0, 0]);
        assert!((lost.high.0 + swept.low.0).abs() < 1e-9, "{lost:?}");
        let even = of([0, 0, 12, 0, 0]);
        assert!((even.low.0 + even.high.0).abs() < 1e-9 && even.low.0 < -90.0, "{even:?}");
        assert!(of([0, 0, 1200, 0, 0]).high.0 < 1.1);
        assert!(of([0, 0, 0, 0, 1]).low.0 < -600.0, "one pair says next to nothing");
    }
}
