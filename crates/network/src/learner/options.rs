//! What a learner is told once.

use super::Optimiser;
use crate::{Device, LossWeights, Precision};

/// How a [`super::Learner`] trains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnerOptions {
    /// Where.
    pub device: Device,
    /// Number format of the forward and backward pass; parameters are fp32 in each.
    pub precision: Precision,
    /// LibTorch's threads within one operation. Another number may change the last bits.
    pub threads: usize,
    /// Which optimiser, with its constants.
    pub optimiser: Optimiser,
    /// Share of a weight that a step at learning rate 1 takes away, at least 0. Not applied to
    /// biases and norms.
    pub weight_decay: f64,
    /// Gradients with a larger norm over all parameters are scaled down to it, above 0.
    pub clip_norm: f64,
    /// Decay of the average of weights in a step, 0..1.
    pub ema_decay: f64,
    /// Shares of the losses in the total loss; heads of weight 0 do not exist.
    pub loss_weights: LossWeights,
    /// What the first weights of the auxiliary heads follow from.
    pub head_seed: u64,
}
