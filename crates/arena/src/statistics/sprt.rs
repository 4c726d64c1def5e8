use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Elo, PairScore, Pentanomial, normalized};

/// The two hypotheses of a sequential test and how often it may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSettings {
    /// Elo of the hypothesis "not better" (H0). Logistic Elo of the first player over the second.
    pub elo0: f64,
    /// Elo of the hypothesis "better" (H1), above `elo0`.
    pub elo1: f64,
    /// Probability of promoting although H0 holds, between 0 and 0.5.
    pub alpha: f64,
    /// Probability of rejecting although H1 holds, between 0 and 0.5.
    pub beta: f64,
    /// Pairs before which no bound ends the test, at most `cap_pairs`. The first few pairs say too little about
    /// their variance: one pair won twice would already accept H1.
    pub min_pairs: u32,
    /// Pairs after which the sign of the log-likelihood ratio decides, at least 1.
    pub cap_pairs: u32,
}

/// What the hypotheses of a sequential test are measured in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloScale {
    /// Elo, by the expected score.
    #[default]
    Logistic,
    /// Normalised Elo ([`NormalizedElo`](super::NormalizedElo)): the test then needs as many games whatever the draw
    /// rate.
    Normalized,
}

/// Why settings of a sequential test cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SprtSettingsError {
    /// The hypotheses are not apart.
    #[error("elo1 ({elo1}) must be finite and above elo0 ({elo0})")]
    Hypotheses {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// An error probability is out of range.
    #[error("{field} ({value}) must be above 0 and below 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        field: &'static str,
        /// As given.
        value: f64,
    },
    /// There is no pair to decide by, or the test could only end after its cap.
    #[error("cap_pairs ({cap_pairs}) must be at least 1 and at least min_pairs ({min_pairs})")]
    Cap {
        /// As given.
        min_pairs: u32,
        /// As given.
        cap_pairs: u32,
    },
}

impl SprtSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names the first field out of range.
    pub fn validate(&self) -> Result<(), SprtSettingsError> {
        let &SprtSettings { elo0, elo1, .. } = self;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtSettingsError::Hypotheses { elo0, elo1 });
        }
        for (field, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtSettingsError::ErrorRate { field, value });
            }
        }
        let &SprtSettings { min_pairs, cap_pairs, .. } = self;
        if cap_pairs == 0 || min_pairs > cap_pairs {
            return Err(SprtSettingsError::Cap { min_pairs, cap_pairs });
        }
        Ok(())
    }

    /// The log-likelihood ratio at or below which H0 is accepted: ln(β / (1 - α)).
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at or above which H1 is accepted: ln((1 - β) / α).
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 over H0 after `pairs`: 0 before the first pair.
    ///
    /// The generalised test's normal approximation, N (m - (s0 + s1) / 2) (s1 - s0) / v, with the mean m and the
    /// variance v of the pair scores and s the expected score of a hypothesis (Van den Bergh, "A practical
    /// introduction to the GSPRT"). Empty counts are taken as 0.001 pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let (s0, s1) = (Elo(self.elo0).score(), Elo(self.elo1).score());
        let sample = pairs.regularised();
        sample.pairs * (sample.mean - (s0 + s1) / 2.0) * (s1 - s0) / sample.variance
    }
}

/// How a sequential test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The upper bound was reached: H1.
    AcceptH1,
    /// The lower bound was reached: H0.
    AcceptH0,
    /// The cap was reached with a positive log-likelihood ratio.
    CapPositive,
    /// The cap was reached with a log-likelihood ratio of 0 or less.
    CapNegative,
}

impl Decision {
    /// Whether the first player is taken to be better.
    pub fn promotes(self) -> bool {
        matches!(self, Decision::AcceptH1 | Decision::CapPositive)
    }
}

/// A running sequential test. Its result depends on the order of the pairs, so they come in the match's order.
#[derive(Debug, Clone, PartialEq)]
pub struct Sprt {
    settings: SprtSettings,
    scale: EloScale,
    pairs: Pentanomial,
    slots: u32,
    decision: Option<Decision>,
}

impl Sprt {
    /// A test without pairs.
    ///
    /// # Errors
    /// Settings out of range.
    pub fn new(settings: SprtSettings) -> Result<Sprt, SprtSettingsError> {
        Sprt::on_scale(settings, EloScale::Logistic)
    }

    /// A test without pairs whose hypotheses are on another scale.
    ///
    /// # Errors
    /// Settings out of range.
    pub fn on_scale(settings: SprtSettings, scale: EloScale) -> Result<Sprt, SprtSettingsError> {
        settings.validate()?;
        Ok(Sprt { settings, scale, pairs: Pentanomial::default(), slots: 0, decision: None })
    }

    /// Takes the next pair and says whether the test has ended. `None` is a pair that was played and does not
    /// count (a repeated game): it uses up one place under the cap. After the end nothing changes any more.
    pub fn update(&mut self, score: Option<PairScore>) -> Option<Decision> {
        if self.decision.is_some() {
            return self.decision;
        }
        self.slots += 1;
        if let Some(score) = score {
            self.pairs.add(score);
        }
        let bounds_hold = self.slots >= self.settings.min_pairs;
        if !bounds_hold && self.slots < self.settings.cap_pairs {
            return None;
        }
        let llr = self.llr();
        self.decision = if bounds_hold && llr >= self.settings.upper_bound() {
            Some(Decision::AcceptH1)
        } else if bounds_hold && llr <= self.settings.lower_bound() {
            Some(Decision::AcceptH0)
        } else if self.slots < self.settings.cap_pairs {
            None
        } else if llr > 0.0 {
            Some(Decision::CapPositive)
        } else {
            Some(Decision::CapNegative)
        };
        self.decision
    }

    /// The log-likelihood ratio now.
    pub fn llr(&self) -> f64 {
        match self.scale {
            EloScale::Logistic => self.settings.llr(&self.pairs),
            EloScale::Normalized if self.pairs.pairs() == 0 => 0.0,
            EloScale::Normalized => {
                normalized::llr(&self.pairs, self.settings.elo0, self.settings.elo1)
            }
        }
    }

    /// The pairs that counted.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// The end, once reached.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const SETTINGS: SprtSettings = SprtSettings {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
        min_pairs: 8,
        cap_pairs: 1000,
    };

    fn pair(half_points: u8) -> Option<PairScore> {
        PairScore::from_half_points(half_points)
    }

    #[test]
    fn bounds_are_walds() {
        assert!((SETTINGS.upper_bound() - 2.944_438_979_166_440_3).abs() < 1e-12);
        assert!((SETTINGS.lower_bound() - -2.944_438_979_166_440_3).abs() < 1e-12);
        let uneven = SprtSettings { alpha: 0.05, beta: 0.1, ..SETTINGS };
        assert!((uneven.upper_bound() - 18f64.ln()).abs() < 1e-12);
        assert!((uneven.lower_bound() - (2.0f64 / 19.0).ln()).abs() < 1e-12);
    }

    #[test]
    fn the_ratio_is_the_published_one() {
        // Equal to `compute_llr` of ShogiArena 1.3.2; the last row needs the regularisation.
        for (counts, llr) in [
            ([10, 20, 30, 20, 20], 0.631_655_050_447_953_8),
            ([3, 9, 30, 14, 6], 0.576_402_782_763_453_9),
            ([100, 400, 900, 450, 150], 5.787_032_938_656_64),
            ([0, 0, 12, 5, 0], 1.246_813_158_903_662_8),
        ] {
            let got = SETTINGS.llr(&Pentanomial { counts });
            assert!((got - llr).abs() < 1e-9, "{counts:?}: {got}");
        }
        assert!(SETTINGS.llr(&Pentanomial::default()).abs() < 1e-15);
    }

    #[test]
    fn the_ratio_changes_sign_with_players_and_hypotheses() {
        let swapped = SprtSettings { elo0: -10.0, elo1: 0.0, ..SETTINGS };
        let ours = SETTINGS.llr(&Pentanomial { counts: [3, 9, 30, 14, 6] });
        let theirs = swapped.llr(&Pentanomial { counts: [6, 14, 30, 9, 3] });
        assert!((ours + theirs).abs() < 1e-9);
    }

    #[test]
    fn a_bound_ends_the_test_and_nothing_changes_after() {
        let mut test = Sprt::new(SETTINGS).unwrap();
        let mut pairs = 0;
        while test.update(pair(if pairs % 3 == 0 { 2 } else { 4 })).is_none() {
            pairs += 1;
        }
        assert_eq!(test.decision(), Some(Decision::AcceptH1));
        assert!(pairs < 100, "{pairs}");
        let before = test.clone();
        assert_eq!(test.update(pair(0)), Some(Decision::AcceptH1));
        assert_eq!(test, before);

        let mut test = Sprt::new(SETTINGS).unwrap();
        while test.update(pair(1)).is_none() {}
        assert_eq!(test.decision(), Some(Decision::AcceptH0));
    }

    #[test]
    fn no_bound_ends_the_test_before_the_smallest_number_of_pairs() {
        let mut test = Sprt::new(SETTINGS).unwrap();
        for _ in 1..SETTINGS.min_pairs {
            assert_eq!(test.update(pair(4)), None);
            assert!(test.llr() > SETTINGS.upper_bound());
        }
        assert_eq!(test.update(pair(4)), Some(Decision::AcceptH1));
    }

    #[test]
    fn wrong_promotions_stay_near_alpha_and_right_ones_are_the_rule() {
        let settings = SprtSettings { elo1: 60.0, cap_pairs: 400, ..SETTINGS };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut promotions = |win: f64, draw: f64| {
            let runs = 400;
            let promoted = (0..runs)
                .filter(|_| {
                    let mut test = Sprt::new(settings).unwrap();
                    loop {
                        let half_points: u8 = (0..2)
                            .map(|_| {
                                let x = rng.random::<f64>();
                                if x < win { 2 } else { u8::from(x < win + draw) }
                            })
                            .sum();
                        if let Some(decision) = test.update(pair(half_points)) {
                            return decision.promotes();
                        }
                    }
                })
                .count();
            promoted as f64 / f64::from(runs)
        };
        let equal = promotions(0.45, 0.1);
        assert!(equal < 0.09, "{equal}");
        let better = promotions(Elo(60.0).score() - 0.05, 0.1);
        assert!(better > 0.91, "{better}");
    }

    /// The share of 1,000 matches that accept H1, and the share that end at a bound, where a game is won with `win`,
    /// drawn with `draw`.
    fn simulate(scale: EloScale, settings: SprtSettings, [win, draw]: [f64; 2]) -> [f64; 2] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
        let mut game = || {
            let x = rng.random::<f64>();
            if x < win { 2 } else { u8::from(x < win + draw) }
        };
        let mut ends = [0.0; 2];
        for _ in 0..1000 {
            let mut test = Sprt::on_scale(settings, scale).unwrap();
            let decision = loop {
                if let Some(decision) = test.update(pair(game() + game())) {
                    break decision;
                }
            };
            ends[0] += f64::from(u8::from(decision == Decision::AcceptH1)) / 1000.0;
            let bound = matches!(decision, Decision::AcceptH0 | Decision::AcceptH1);
            ends[1] += f64::from(u8::from(bound)) / 1000.0;
        }
        ends
    }

    #[test]
    fn errors_are_as_rare_as_the_test_says() {
        // A tenth of the games drawn: a game's deviation is sqrt(0.9 / 4) near a score of one half.
        let (draw, sigma) = (0.1, (0.225f64).sqrt());
        // With fewer pairs the variance is too uncertain for hypotheses that far apart: after 8 errors are at 0.08.
        let settings = SprtSettings { elo1: 60.0, min_pairs: 30, cap_pairs: 2000, ..SETTINGS };
        for scale in [EloScale::Logistic, EloScale::Normalized] {
            let score = |elo: f64| match scale {
                EloScale::Logistic => Elo(elo).score(),
                EloScale::Normalized => 0.5 + elo * 10f64.ln() / 800.0 * sigma,
            };
            let [wrong, ended] = simulate(scale, settings, [score(0.0) - draw / 2.0, draw]);
            // Nominal 0.05; three standard errors of 1,000 matches are 0.021.
            assert!(wrong <= 0.05 + 0.021, "{scale:?}: {wrong} under H0");
            assert!(ended > 0.99, "{scale:?}: {ended}");
            let [right, ended] = simulate(scale, settings, [score(60.0) - draw / 2.0, draw]);
            assert!(right >= 0.95 - 0.021, "{scale:?}: {right} under H1");
            assert!(ended > 0.99, "{scale:?}: {ended}");
        }
    }

    #[test]
    fn the_cap_decides_by_sign() {
        for (last, expected) in [(4, Decision::CapPositive), (0, Decision::CapNegative)] {
            let mut test =
                Sprt::new(SprtSettings { min_pairs: 5, cap_pairs: 5, ..SETTINGS }).unwrap();
            for score in [0, 4, 1, 3] {
                assert_eq!(test.update(pair(score)), None);
            }
            assert_eq!(test.update(pair(last)), Some(expected));
        }
    }

    #[test]
    fn pairs_that_do_not_count_use_up_the_cap_and_reject() {
        let mut test = Sprt::new(SprtSettings { min_pairs: 1, cap_pairs: 3, ..SETTINGS }).unwrap();
        assert_eq!(test.update(None), None);
        assert_eq!(test.update(None), None);
        assert_eq!(test.update(None), Some(Decision::CapNegative));
        assert_eq!(test.pairs().pairs(), 0);
    }

    #[test]
    fn two_identical_players_are_rejected_soon() {
        let mut test = Sprt::new(SETTINGS).unwrap();
        let mut pairs = 1;
        while test.update(pair(2)).is_none() {
            pairs += 1;
        }
        assert_eq!(test.decision(), Some(Decision::AcceptH0));
        assert!(pairs < 20, "{pairs}");
    }

    #[test]
    fn settings_out_of_range_name_the_field() {
        let bad = |settings| Sprt::new(settings).unwrap_err().to_string();
        assert!(bad(SprtSettings { elo1: 0.0, ..SETTINGS }).starts_with("elo1"));
        assert!(bad(SprtSettings { elo0: f64::NAN, ..SETTINGS }).starts_with("elo1"));
        assert!(bad(SprtSettings { alpha: 0.0, ..SETTINGS }).starts_with("alpha"));
        assert!(bad(SprtSettings { beta: 0.5, ..SETTINGS }).starts_with("beta"));
        assert!(bad(SprtSettings { cap_pairs: 0, ..SETTINGS }).starts_with("cap_pairs"));
        assert!(bad(SprtSettings { min_pairs: 1001, ..SETTINGS }).starts_with("cap_pairs"));
    }
}
