//! What a net's answers cost against a batch's targets.

use keiko_encoding::LABELS;
use keiko_model::Head;
use keiko_replay::Batch;
use tch::{Kind, Tensor};

use crate::Device;
use crate::error::Torch;
use crate::forward::Output;
use crate::heads::{AheadTargets, HeadLoss};
use crate::input::{size, sizes};
use crate::losses::{HeadSum, LossSums, LossWeights, PerHead};

/// A batch's targets on a device, all fp32.
#[derive(Debug)]
pub(crate) struct Targets {
    /// `[rows, 2187]`, each row sums to 1.
    pub(crate) policy: Tensor,
    /// `[rows, 2187]`: added to the logits it leaves those of legal moves as they are and makes all
    /// others so small that their share is 0.
    pub(crate) mask: Tensor,
    /// `[rows, 3]`, each row sums to 1.
    wdl: Tensor,
    /// `[rows]`.
    pub(crate) policy_weight: Tensor,
    /// `[rows]`.
    value_weight: Tensor,
    /// What came after the rows, where the batch says so.
    pub(crate) ahead: Option<AheadTargets>,
}

impl Targets {
    pub(crate) fn new(batch: &Batch, device: Device) -> Torch<Self> {
        let rows = batch.rows.nrows();
        let load = |values: &[f32]| Tensor::f_from_slice(values)?.f_to_device(device.torch());
        Ok(Self {
            policy: load(slice(&batch.policy))?.f_reshape(sizes([rows, LABELS]))?,
            mask: mask(batch, device)?,
            wdl: load(slice(&batch.wdl))?.f_reshape(sizes([rows, 3]))?,
            policy_weight: load(slice(&batch.policy_weight))?,
            value_weight: load(slice(&batch.value_weight))?,
            ahead: batch.ahead.as_ref().map(|it| AheadTargets::new(it, load)).transpose()?,
        })
    }
}

/// Logits this far below the others have no share in a softmax, and their products with 0 are 0.
const FAR: f64 = 1e9;

fn mask(batch: &Batch, device: Device) -> Torch<Tensor> {
    let legal = Tensor::f_from_slice(slice(&batch.legal))?.f_to_device(device.torch())?;
    let legal = legal.f_reshape(sizes([batch.rows.nrows(), LABELS]))?.f_to_kind(Kind::Float)?;
    legal.f_sub_scalar(1.0)?.f_mul_scalar(FAR)
}

/// The elements of an array that a batch holds.
pub(crate) fn slice<T, D: ndarray::Dimension>(array: &ndarray::Array<T, D>) -> &[T] {
    array.as_slice().expect("batches are made in standard layout")
}

/// What a net says about a batch.
#[derive(Debug)]
pub(crate) struct Answers<'a> {
    pub(crate) output: &'a Output,
    /// `[2187]`, fp32.
    pub(crate) policy_bias: &'a Tensor,
    /// What its auxiliary heads say, against their targets.
    pub(crate) heads: &'a [HeadLoss],
}

/// `[rows, 2187]` logits, fp32, of a policy head's convolution and the bias of its labels.
pub(crate) fn policy_logits(convolved: &Tensor, bias: &Tensor) -> Torch<Tensor> {
    let rows = convolved.size()[0];
    convolved.f_to_kind(Kind::Float)?.f_reshape([rows, size(LABELS)])?.f_add(bias)
}

/// The loss of a batch on its device.
#[derive(Debug)]
pub(crate) struct Loss {
    /// What training makes smaller: the mean over all rows of the weighted losses, each times its share.
    /// A row of weight 0 counts as a row and adds nothing.
    pub(crate) objective: Tensor,
    /// What [`LossSums`] is read from, without gradients.
    sums: Tensor,
    rows: usize,
    heads: Vec<Head>,
}

impl Loss {
    /// Cross entropies of `answers` against `targets`, in fp32, and the losses of its heads.
    pub(crate) fn new(
        answers: &Answers<'_>,
        targets: &Targets,
        weights: &LossWeights,
    ) -> Torch<Self> {
        let Answers { output, policy_bias, heads } = *answers;
        let rows = output.policy.size()[0];
        let logits = policy_logits(&output.policy, policy_bias)?.f_add(&targets.mask)?;
        let policy = weighted_cross_entropy(&logits, &targets.policy, &targets.policy_weight)?;
        let value = weighted_cross_entropy(&output.value, &targets.wdl, &targets.value_weight)?;
        let mut objective = policy.f_add(&value.f_mul_scalar(weights.value)?)?;
        for HeadLoss { head, sum, .. } in heads {
            objective = objective.f_add(&sum.f_mul_scalar(*weights.heads.of(*head))?)?;
        }
        let objective = objective.f_div_scalar(rows)?;

        let hits = |outputs: &Tensor, targets: &Tensor, weights: &Tensor| {
            let hits = outputs.f_argmax(-1, false)?.f_eq_tensor(&targets.f_argmax(-1, false)?)?;
            hits.f_to_kind(Kind::Float)?.f_dot(weights)
        };
        let entropy = targets.policy.f_xlogy(&targets.policy)?.f_sum_dim_intlist(
            [-1].as_slice(),
            false,
            Kind::Float,
        )?;
        let logits = logits.f_detach()?;
        let mut sums = vec![
            policy.f_detach()?,
            value.f_detach()?,
            targets.policy_weight.f_sum(Kind::Float)?,
            targets.value_weight.f_sum(Kind::Float)?,
            entropy.f_dot(&targets.policy_weight)?.f_neg()?,
            hits(&logits, &targets.policy, &targets.policy_weight)?,
            hits(&output.value.f_detach()?, &targets.wdl, &targets.value_weight)?,
        ];
        for HeadLoss { sum, weight, .. } in heads {
            sums.extend([sum.f_detach()?, weight.shallow_clone()]);
        }
        let rows = usize::try_from(rows).expect("a size is not negative");
        let heads = heads.iter().map(|it| it.head).collect();
        Ok(Self { objective, sums: Tensor::f_stack(&sums, 0)?, rows, heads })
    }

    /// The sums, and the value of `further` (one number on the same device), in one transfer.
    pub(crate) fn read(&self, further: &Tensor) -> Torch<(LossSums, f32)> {
        let all = Tensor::f_cat(&[self.sums.shallow_clone(), further.f_reshape(1)?], 0)?;
        let all: Vec<f32> = all.try_into()?;
        let [
            policy,
            value,
            policy_weight,
            value_weight,
            entropy,
            policy_hits,
            value_hits,
            ref of_heads @ ..,
            further,
        ] = all[..]
        else {
            unreachable!("the tensor was joined from eight numbers or more")
        };
        let mut heads = PerHead::default();
        for (&head, numbers) in self.heads.iter().zip(of_heads.chunks_exact(2)) {
            *heads.of_mut(head) = HeadSum { loss: numbers[0].into(), weight: numbers[1].into() };
        }
        let sums = LossSums {
            heads,
            rows: self.rows as u64,
            policy: policy.into(),
            value: value.into(),
            policy_weight: policy_weight.into(),
            value_weight: value_weight.into(),
            policy_entropy: entropy.into(),
            policy_hits: policy_hits.into(),
            value_hits: value_hits.into(),
        };
        Ok((sums, further))
    }
}

/// The weighted sum over rows of the cross entropy of `targets` against the softmax of `logits`.
pub(crate) fn weighted_cross_entropy(
    logits: &Tensor,
    targets: &Tensor,
    weights: &Tensor,
) -> Torch<Tensor> {
    let surprise = logits.f_log_softmax(-1, Kind::Float)?;
    let rows = targets.f_mul(&surprise)?.f_sum_dim_intlist([-1].as_slice(), false, Kind::Float)?;
    rows.f_dot(weights)?.f_neg()
}

#[cfg(test)]
mod tests {
    use keiko_encoding::EncodingId;

    use super::*;
    use crate::testing;

    #[test]
    fn a_policy_is_over_the_legal_moves_only() {
        let mut batch = testing::batch(EncodingId::Dlshogi57, 2, 5);
        batch.legal.fill(0);
        for (row, labels) in [(0, [3, 40, 700, 2186]), (1, [0, 1, 2, 3])] {
            batch.policy.row_mut(row).fill(0.0);
            batch.policy[[row, labels[0]]] = 1.0;
            for label in labels {
                batch.legal[[row, label]] = 1;
            }
        }
        batch.policy_weight.fill(1.0);
        let targets = Targets::new(&batch, Device::Cpu).expect("targets");
        let options = (Kind::Float, tch::Device::Cpu);
        // Equal logits for the legal moves and far larger ones for all others.
        let legal = Tensor::from_slice(slice(&batch.legal)).reshape([2, 27, 9, 9]);
        let policy = (legal.to_kind(Kind::Float) * -50.0 + 100.0).set_requires_grad(true);
        let output = Output { policy, value: Tensor::zeros([2, 3], options) };
        let bias = Tensor::zeros([size(LABELS)], options);
        let answers = Answers { output: &output, policy_bias: &bias, heads: &[] };
        let loss = Loss::new(&answers, &targets, &LossWeights::EVEN).expect("a loss");
        let (sums, _) = loss.read(&Tensor::zeros([1], options)).expect("numbers");
        assert!((sums.losses(&LossWeights::EVEN).policy - 4.0_f64.ln()).abs() < 1e-5, "{sums:?}");
        loss.objective.backward();
        let gradient = Vec::<f32>::try_from(output.policy.grad().reshape(-1)).expect("numbers");
        for (gradient, legal) in gradient.iter().zip(&batch.legal) {
            assert!((*legal == 1) == (gradient.abs() > 1e-3), "{legal} {gradient}");
        }
    }
}
