//! The heads that only training has: their layers, and what their answers cost.

use keiko_encoding::LABELS;
use keiko_model::{Activation, Head};
use tch::{Kind, Reduction, Tensor};

use crate::error::Torch;
use crate::forward::{Convolution, Linear, activate, convolve};
use crate::input::size;
use crate::loss::{Targets, policy_logits, weighted_cross_entropy};

/// The soft policy's targets are the policy's to the power of one over this.
const SOFT_TEMPERATURE: f64 = 4.0;

/// The unit in which plies left are predicted and their errors counted, as in lc0's moves-left head: it brings the loss
/// to the size of the others.
pub(crate) const PLIES_UNIT: f64 = 20.0;

/// The error, in plies, up to which Huber's loss is a square; beyond it is straight, so that few long games do not
/// outweigh the others. As in lc0.
const HUBER_PLIES: f64 = 10.0;

/// The layers of a head.
pub(crate) enum HeadLayers<C> {
    /// A policy over the 2,187 labels.
    Policy {
        /// `[27, channels, 1, 1]`.
        weight: Tensor,
        /// `[2187]`, fp32.
        bias: Tensor,
    },
    /// One number.
    Number { activation: Activation, convolution: C, hidden: Linear, output: Linear },
}

impl<C: Convolution> HeadLayers<C> {
    /// Logits `[rows, 2187]` or numbers `[rows]` for the trunk's output, fp32.
    fn forward(&self, trunk: &Tensor) -> Torch<Tensor> {
        match self {
            Self::Policy { weight, bias } => policy_logits(&convolve(trunk, weight, None)?, bias),
            Self::Number { activation, convolution, hidden, output } => {
                let rows = trunk.size()[0];
                let values = activate(*activation, convolution.apply(trunk, None)?)?;
                let values = values.f_reshape([rows, -1])?.f_to_kind(Kind::Float)?;
                let values = activate(*activation, hidden.apply(&values)?)?;
                output.apply(&values)?.f_reshape([rows])
            }
        }
    }

    /// The head's loss of a batch; none where the batch does not say what the head learns.
    pub(crate) fn loss(
        &self,
        head: Head,
        trunk: &Tensor,
        targets: &Targets,
    ) -> Torch<Option<HeadLoss>> {
        let ahead = targets.ahead.as_ref();
        let (sum, weights) = match head {
            Head::SoftPolicy => {
                let logits = self.forward(trunk)?.f_add(&targets.mask)?;
                let soft = soften(&targets.policy)?;
                let weights = &targets.policy_weight;
                (weighted_cross_entropy(&logits, &soft, weights)?, weights)
            }
            Head::Reply => {
                let Some(ahead) = ahead else { return Ok(None) };
                let weights = &ahead.reply_weight;
                (weighted_cross_entropy(&self.forward(trunk)?, &ahead.reply, weights)?, weights)
            }
            Head::PliesLeft => {
                let Some(ahead) = ahead else { return Ok(None) };
                let wanted = ahead.plies_left.f_div_scalar(PLIES_UNIT)?;
                let errors = self.forward(trunk)?.f_huber_loss(
                    &wanted,
                    Reduction::None,
                    HUBER_PLIES / PLIES_UNIT,
                )?;
                let weights = &ahead.plies_left_weight;
                (errors.f_dot(weights)?, weights)
            }
        };
        Ok(Some(HeadLoss { head, sum, weight: weights.f_sum(Kind::Float)? }))
    }
}

/// The loss of one head.
#[derive(Debug)]
pub(crate) struct HeadLoss {
    pub(crate) head: Head,
    /// The weighted sum over the rows, a single number.
    pub(crate) sum: Tensor,
    /// The sum of the rows' weights.
    pub(crate) weight: Tensor,
}

/// `[rows, 2187]` shares to the power of 1 / [`SOFT_TEMPERATURE`], each row again of sum 1, or 0 where it was.
fn soften(policy: &Tensor) -> Torch<Tensor> {
    let soft = policy.f_pow_tensor_scalar(1.0 / SOFT_TEMPERATURE)?;
    let sums = soft.f_sum_dim_intlist([-1].as_slice(), true, Kind::Float)?;
    soft.f_div(&sums.f_clamp_min(f64::from(f32::MIN_POSITIVE))?)
}

/// What came after the rows of a batch, on a device.
#[derive(Debug)]
pub(crate) struct AheadTargets {
    /// `[rows, 2187]`, each row sums to 1, or is 0 where its weight is 0.
    reply: Tensor,
    /// `[rows]`.
    reply_weight: Tensor,
    /// `[rows]`, plies.
    plies_left: Tensor,
    /// `[rows]`.
    plies_left_weight: Tensor,
}

impl AheadTargets {
    /// Copies `ahead` by `load`, which makes a flat vector of fp32 on the device.
    pub(crate) fn new(
        ahead: &keiko_replay::Ahead,
        load: impl Fn(&[f32]) -> Torch<Tensor>,
    ) -> Torch<Self> {
        use crate::loss::slice;
        Ok(Self {
            reply: load(slice(&ahead.reply))?.f_reshape([-1, size(LABELS)])?,
            reply_weight: load(slice(&ahead.reply_weight))?,
            plies_left: load(slice(&ahead.plies_left))?,
            plies_left_weight: load(slice(&ahead.plies_left_weight))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_policy_is_the_fourth_root_rescaled() {
        let policy = Tensor::from_slice(&[0.81_f32, 0.19, 0.0, 0.0, 0.0, 0.0]).reshape([2, 3]);
        let soft = Vec::<f32>::try_from(soften(&policy).unwrap().reshape(-1)).unwrap();
        let roots = [0.81_f32.powf(0.25), 0.19_f32.powf(0.25)];
        let expected = roots.map(|root| root / (roots[0] + roots[1]));
        for (found, expected) in soft.iter().zip([expected[0], expected[1], 0.0, 0.0, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{soft:?}");
        }
    }
}
