//! What becomes of a step, and why there may be none.

use keiko_model::WeightsError;

use crate::{DeviceError, LossSums, Losses, TorchError};

/// Why a learner could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LearnerError {
    /// The device cannot be had.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The weights are those of another architecture.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// LibTorch failed.
    #[error("cannot prepare training")]
    Torch(#[from] TorchError),
}

/// Why a step was not taken. Parameters, moments and statistics are as before it.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A loss or the gradient is infinite or not a number.
    #[error("loss {} or gradient norm {gradient_norm} is not finite", losses.total)]
    NotFinite {
        /// The losses of the batch.
        losses: Losses,
        /// Norm of the gradient over all parameters.
        gradient_norm: f32,
    },
    /// LibTorch failed.
    #[error("cannot compute a training step")]
    Torch(#[from] TorchError),
}

/// What a step was like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Sums over the batch, for means over several steps.
    pub sums: LossSums,
    /// Losses of the batch before the step.
    pub losses: Losses,
    /// Norm of the gradient over all parameters, before it was clipped.
    pub gradient_norm: f32,
}
