use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PairScore, Pentanomial, likelihood};

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
    /// That of the generalised test: the most likely distribution of pair scores under the one hypothesis against the
    /// most likely one under the other (Van den Bergh, "A practical introduction to the GSPRT"). Empty counts are taken
    /// as 0.001 pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        likelihood::llr(pairs, EloScale::Logistic, [self.elo0, self.elo1])
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
        let SprtSettings { elo0, elo1, .. } = self.settings;
        likelihood::llr(&self.pairs, self.scale, [elo0, elo1])
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
mod tests;
