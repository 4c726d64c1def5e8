/// The chance of at most `most` successes in `trials`, each with the probability `probability`, 0 to 1.
///
/// `probability` is the upper bound of Clopper and Pearson (1934) for `most` successes, with the confidence of one
/// minus this chance.
pub(super) fn tail(trials: u64, most: u64, probability: f64) -> f64 {
    if most >= trials || probability <= 0.0 {
        return 1.0;
    }
    if probability >= 1.0 {
        return 0.0;
    }
    let odds = (probability / (1.0 - probability)).ln();
    // Logarithms, because the first terms of many trials are below the least number.
    let mut term = trials as f64 * (-probability).ln_1p();
    let mut sum = term.exp();
    for successes in 0..most {
        term += ((trials - successes) as f64 / (successes + 1) as f64).ln() + odds;
        sum += term.exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The upper bound with 95 % confidence, by bisection.
    fn bound(trials: u64, successes: u64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if tail(trials, successes, middle) > 0.05 { low = middle } else { high = middle }
        }
        high
    }

    #[test]
    fn bounds_are_those_of_the_tables() {
        // 1 - 0.05^(1/n) without a success, and values of the beta distribution's 95th percentile.
        for (trials, successes, expected) in [
            (58, 0, 0.050_338),
            (59, 0, 0.049_506),
            (10, 1, 0.394_163),
            (100, 2, 0.061_619),
            (1000, 40, 0.051_753),
        ] {
            let found = bound(trials, successes);
            assert!((found - expected).abs() < 5e-5, "{successes} of {trials}: {found}");
        }
    }

    #[test]
    fn chances_are_chances() {
        assert!((tail(0, 0, 0.05) - 1.0).abs() < 1e-12);
        assert!((tail(3, 3, 0.05) - 1.0).abs() < 1e-12);
        assert!(tail(2, 1, 1.0) < 1e-12 && (tail(2, 1, 0.0) - 1.0).abs() < 1e-12);
        assert!((tail(2, 1, 0.5) - 0.75).abs() < 1e-12);
        let half = tail(1_000_000, 50_000, 0.05);
        assert!((half - 0.5).abs() < 0.01, "{half}");
        assert!(tail(1_000_000, 49_000, 0.05) < 1e-4);
    }
}
