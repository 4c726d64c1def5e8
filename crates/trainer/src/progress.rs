//! How far a trainer has come, beside the learner's own state.

use keiko_network::{LossSums, LossWeights, Step};
use keiko_replay::data::{Cursor, DataCounts};
use serde::{Deserialize, Serialize};

use crate::event::{Candidate, StepsReport};

/// What a checkpoint keeps of a trainer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Progress {
    /// Entries of the ingest log that the current generation trains on; from files, generations with this one.
    pub(crate) entries: u32,
    /// Steps taken before the current generation.
    pub(crate) generation_start: u64,
    /// Batches taken from the sampler, skipped ones among them: the number of the next one.
    pub(crate) batches: u64,
    /// Batches skipped because their loss was not finite.
    pub(crate) not_finite: u64,
    /// Steps since the last report.
    pub(crate) interval: Interval,
    /// How far a trainer that learns from files has come in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<DataProgress>,
    /// The candidate of the current generation, once it is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) candidate: Option<Candidate>,
}

/// How far a trainer has come in its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DataProgress {
    /// Where the next batch comes from.
    pub(crate) cursor: Cursor,
    /// What was read for the batches so far.
    pub(crate) counts: DataCounts,
}

/// Sums over steps, for their report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Interval {
    steps: u64,
    gradient_norm: f64,
    sums: LossSums,
}

impl Interval {
    pub(crate) fn add(&mut self, step: &Step) {
        self.steps += 1;
        self.gradient_norm += f64::from(step.gradient_norm);
        self.sums = self.sums + step.sums;
    }

    /// The means, after which counting starts anew.
    pub(crate) fn report(&mut self, rate: LearningRate, weights: &LossWeights) -> StepsReport {
        let Self { steps, gradient_norm, sums } = std::mem::take(self);
        let losses = sums.losses(weights);
        StepsReport {
            step: rate.step,
            learning_rate: rate.value,
            policy_loss: losses.policy,
            value_loss: losses.value,
            total_loss: losses.total,
            reply_loss: losses.heads.reply,
            plies_left_loss: losses.heads.plies_left,
            soft_policy_loss: losses.heads.soft_policy,
            policy_target_entropy: losses.policy_entropy,
            policy_accuracy: losses.policy_accuracy,
            value_accuracy: losses.value_accuracy,
            gradient_norm: gradient_norm / steps.max(1) as f64,
        }
    }
}

/// The learning rate of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LearningRate {
    /// Steps taken, this one among them.
    pub(crate) step: u64,
    /// Its rate.
    pub(crate) value: f64,
}
