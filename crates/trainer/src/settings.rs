//! The section `[trainer]` of a run's config.

use keiko_model::Head;
use keiko_network::{Device, HeadWeights, LearnerOptions, LossWeights, Optimiser, Precision};
use keiko_replay::seed::derive;
use serde::{Deserialize, Serialize};

use crate::schedule::Schedule;

/// How a net is trained. Every key is given in the config; none has a default. How often a row may
/// be used belongs to the replay settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Where: `cpu`, `cuda` or `cuda:N`.
    pub device: Device,
    /// Number format of the forward and backward pass.
    pub precision: Precision,
    /// LibTorch's threads within one operation, 1 to 1024.
    pub threads: usize,
    /// Which optimiser, with its constants.
    pub optimiser: Optimiser,
    /// Rows of a batch, 2 to 65536: norms need more than one.
    pub batch_rows: usize,
    /// Learning rate after the warm-up and before the schedule lowers it, above 0.
    pub learning_rate: f64,
    /// Steps over which the learning rate rises from 0, 0 for none.
    pub warm_up_steps: u64,
    /// How the learning rate falls.
    pub schedule: Schedule,
    /// Share of a weight that a step at learning rate 1 takes away, at least 0.
    pub weight_decay: f64,
    /// Norm over all parameters to which longer gradients are cut, above 0.
    pub clip_norm: f64,
    /// Share of the value loss, where the policy loss has 1; at least 0.
    pub value_loss_weight: f64,
    /// Shares of the losses of heads that only training has, each 0 to 1000; a head of weight 0 does not exist.
    pub heads: HeadWeights,
    /// Decay of the averaged weights in a step, 0..1. Candidates are averages.
    pub ema_decay: f64,
    /// Batches from which a candidate's norm statistics are taken, 1 to 10000.
    pub norm_refresh_batches: u64,
    /// Steps after which a generation ends even where the data would allow more, at least 1.
    pub max_steps_per_generation: u64,
    /// Steps from one line of metrics to the next, at least 1.
    pub report_every_steps: u64,
    /// Steps from one checkpoint to the next, at least 1. One is written at a generation's end too.
    pub checkpoint_every_steps: u64,
    /// The newest checkpoints that are kept, at least 1.
    pub keep_checkpoints: usize,
    /// Held-out rows that a candidate is measured on, at least 1.
    pub held_out_rows: usize,
    /// Batches in the whole run that may be skipped because their loss is not finite.
    pub max_not_finite: u64,
}

/// A value that `[trainer]` may not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("trainer.{field} must be {range}")]
pub struct SettingsError {
    /// The key.
    pub field: &'static str,
    /// What it may be.
    pub range: &'static str,
}

impl Settings {
    /// Checks that all values are in range.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for the first that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        let above_0 = |value: f64| value > 0.0 && value.is_finite();
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let refresh = self.norm_refresh_batches;
        for (holds, field, range) in [
            ((1..=1024).contains(&self.threads), "threads", "from 1 to 1024"),
            ((2..=65_536).contains(&self.batch_rows), "batch_rows", "from 2 to 65536"),
            (above_0(self.learning_rate), "learning_rate", "above 0"),
            (not_negative(self.weight_decay), "weight_decay", "at least 0"),
            (self.clip_norm > 0.0, "clip_norm", "above 0"),
            (not_negative(self.value_loss_weight), "value_loss_weight", "at least 0"),
            ((0.0..1.0).contains(&self.ema_decay), "ema_decay", "at least 0 and below 1"),
            ((1..=10_000).contains(&refresh), "norm_refresh_batches", "from 1 to 10000"),
            (self.max_steps_per_generation > 0, "max_steps_per_generation", "at least 1"),
            (self.report_every_steps > 0, "report_every_steps", "at least 1"),
            (self.checkpoint_every_steps > 0, "checkpoint_every_steps", "at least 1"),
            (self.keep_checkpoints > 0, "keep_checkpoints", "at least 1"),
            (self.held_out_rows > 0, "held_out_rows", "at least 1"),
        ] {
            if !holds {
                return Err(SettingsError { field, range });
            }
        }
        for head in Head::ALL {
            let (field, range) = (head_field(head), "from 0 to 1000");
            if !(0.0..=1000.0).contains(self.heads.of(head)) {
                return Err(SettingsError { field, range });
            }
        }
        self.check_optimiser()?;
        match self.schedule.problem() {
            Some((field, range)) => Err(SettingsError { field, range }),
            None => Ok(()),
        }
    }

    fn check_optimiser(&self) -> Result<(), SettingsError> {
        let decay = |value: f64| (0.0..1.0).contains(&value);
        let (holds, field) = match self.optimiser {
            Optimiser::AdamW { beta1, .. } if !decay(beta1) => (false, "optimiser.beta1"),
            Optimiser::AdamW { beta2, .. } if !decay(beta2) => (false, "optimiser.beta2"),
            Optimiser::AdamW { epsilon, .. } => (epsilon > 0.0, "optimiser.epsilon"),
            Optimiser::Sgd { momentum } => (decay(momentum), "optimiser.momentum"),
        };
        let range = if field == "optimiser.epsilon" { "above 0" } else { "at least 0 and below 1" };
        if holds { Ok(()) } else { Err(SettingsError { field, range }) }
    }

    /// The learning rate of the step after `step` steps: rises in equal parts over the warm-up and
    /// falls by the schedule.
    pub fn learning_rate_at(&self, step: u64) -> f64 {
        let warmth = (step as f64 + 1.0) / (self.warm_up_steps as f64 + 1.0);
        self.learning_rate * warmth.min(1.0) * self.schedule.factor(step)
    }

    /// Checks that what is learnt can be learnt from files, which do not say what came after a position.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for the first head that cannot.
    pub fn check_for_files(&self) -> Result<(), SettingsError> {
        let range = "0 where files are learnt from: they do not say what came after a position";
        match [Head::Reply, Head::PliesLeft].into_iter().find(|&it| *self.heads.of(it) > 0.0) {
            Some(head) => Err(SettingsError { field: head_field(head), range }),
            None => Ok(()),
        }
    }

    /// Shares of the losses in the total loss.
    pub(crate) fn loss_weights(&self) -> LossWeights {
        LossWeights { value: self.value_loss_weight, heads: self.heads }
    }

    /// Whether batches must say what came after their rows.
    pub(crate) fn needs_ahead(&self) -> bool {
        self.heads.reply > 0.0 || self.heads.plies_left > 0.0
    }

    /// What the learner of a run with this seed is told.
    #[must_use]
    pub fn learner(&self, seed: u64) -> LearnerOptions {
        LearnerOptions {
            device: self.device,
            precision: self.precision,
            threads: self.threads,
            optimiser: self.optimiser,
            weight_decay: self.weight_decay,
            clip_norm: self.clip_norm,
            ema_decay: self.ema_decay,
            loss_weights: self.loss_weights(),
            head_seed: derive(seed, "heads", 0),
        }
    }
}

fn head_field(head: Head) -> &'static str {
    match head {
        Head::Reply => "heads.reply",
        Head::PliesLeft => "heads.plies_left",
        Head::SoftPolicy => "heads.soft_policy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
device = "cpu"
precision = "auto"
threads = 2
batch_rows = 256
learning_rate = 0.002
warm_up_steps = 3
weight_decay = 1e-4
clip_norm = 10.0
value_loss_weight = 1.0
ema_decay = 0.99
norm_refresh_batches = 8
max_steps_per_generation = 1000
report_every_steps = 10
checkpoint_every_steps = 500
keep_checkpoints = 2
held_out_rows = 1024
max_not_finite = 3

[heads]
reply = 0.15
plies_left = 0.1
soft_policy = 0.0

[optimiser]
name = "adamw"
beta1 = 0.9
beta2 = 0.999
epsilon = 1e-8

[schedule]
kind = "step"
at = [100, 200]
factor = 0.5
"#;

    #[test]
    fn every_key_is_needed_and_no_other_is_known() {
        let settings: Settings = toml::from_str(TEXT).unwrap();
        assert_eq!(settings.check(), Ok(()));
        assert_eq!(toml::from_str::<Settings>(&toml::to_string(&settings).unwrap()), Ok(settings));
        for line in TEXT.lines().filter(|line| line.contains('=')) {
            let without = TEXT.replace(&format!("{line}\n"), "");
            assert!(toml::from_str::<Settings>(&without).is_err(), "without {line}");
            let more = TEXT.replace(line, &format!("{line}\nx{line}"));
            assert!(toml::from_str::<Settings>(&more).is_err(), "{line} and x{line}");
        }
    }

    #[test]
    fn values_out_of_range_are_named() {
        let cases = [
            ("threads = 2", "threads = 0", "threads"),
            ("threads = 2", "threads = 65535", "threads"),
            ("norm_refresh_batches = 8", "norm_refresh_batches = 65535", "norm_refresh_batches"),
            ("batch_rows = 256", "batch_rows = 1", "batch_rows"),
            ("batch_rows = 256", "batch_rows = 1000000000000", "batch_rows"),
            ("learning_rate = 0.002", "learning_rate = nan", "learning_rate"),
            ("clip_norm = 10.0", "clip_norm = 0.0", "clip_norm"),
            ("ema_decay = 0.99", "ema_decay = 1.0", "ema_decay"),
            ("beta2 = 0.999", "beta2 = 1.0", "optimiser.beta2"),
            ("epsilon = 1e-8", "epsilon = 0.0", "optimiser.epsilon"),
            ("at = [100, 200]", "at = [200, 100]", "schedule.at"),
            ("keep_checkpoints = 2", "keep_checkpoints = 0", "keep_checkpoints"),
            ("plies_left = 0.1", "plies_left = -0.1", "heads.plies_left"),
            ("reply = 0.15", "reply = inf", "heads.reply"),
        ];
        for (from, to, field) in cases {
            let settings: Settings = toml::from_str(&TEXT.replace(from, to)).unwrap();
            assert_eq!(settings.check().unwrap_err().field, field, "{to}");
        }
    }

    #[test]
    fn the_learning_rate_warms_up_and_falls() {
        let settings: Settings = toml::from_str(TEXT).unwrap();
        for (step, share) in [(0, 0.25), (1, 0.5), (3, 1.0), (99, 1.0), (100, 0.5), (200, 0.25)] {
            let rate = settings.learning_rate_at(step);
            assert!((rate - 0.002 * share).abs() < 1e-12, "{rate} at {step}");
        }
    }
}
