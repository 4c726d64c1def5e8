//! Whether a net has learnt what it was never shown.

use keiko_model::{Folded, fold};
use keiko_network::{Evaluator, LossSums};
use keiko_replay::Batch;

use crate::event::HeldOutReport;
use crate::{Setup, TrainError};

/// Weighted counts of win, draw and loss targets, each started at 1 so that none is impossible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frequencies([f64; 3]);

impl Frequencies {
    /// Counts the value targets of `batches`.
    pub(crate) fn of(batches: &[Batch]) -> Self {
        let mut counts = [1.0; 3];
        for batch in batches {
            for (wdl, &weight) in batch.wdl.rows().into_iter().zip(&batch.value_weight) {
                for (count, &share) in counts.iter_mut().zip(wdl) {
                    *count += f64::from(weight * share);
                }
            }
        }
        let sum: f64 = counts.iter().sum();
        Self(counts.map(|count| count / sum))
    }

    /// The sum over the rows of the weighted cross entropy of their value targets.
    fn cross_entropy(self, batch: &Batch) -> f64 {
        let rows = batch.wdl.rows().into_iter().zip(&batch.value_weight);
        rows.map(|(wdl, &weight)| {
            let shares = wdl.iter().zip(self.0);
            let surprise: f64 =
                shares.map(|(&share, frequency)| -f64::from(share) * frequency.ln()).sum();
            f64::from(weight) * surprise
        })
        .sum()
    }
}

/// What a net is measured by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measurement<'a> {
    pub(crate) setup: &'a Setup,
    /// The predictor that the value is compared with.
    pub(crate) frequencies: Frequencies,
}

impl Measurement<'_> {
    /// Measures `weights` of step `step` on `batches`; nothing if there are none.
    pub(crate) fn measure(
        &self,
        batches: impl Iterator<Item = Batch>,
        weights: &keiko_model::Weights,
        step: u64,
    ) -> Result<Option<HeldOutReport>, TrainError> {
        let settings = &self.setup.settings;
        let mut batches = batches.peekable();
        if batches.peek().is_none() {
            return Ok(None);
        }
        let folded: Folded = fold(&self.setup.architecture, weights);
        let call = self.setup.asks("measuring a candidate");
        let mut evaluator =
            Evaluator::new(&self.setup.architecture, &folded, settings.device, settings.threads)?;
        let mut sums = LossSums::default();
        let (mut uniform, mut constant) = (0.0, 0.0);
        for batch in batches {
            call.came_on();
            sums = sums + evaluator.evaluate(&batch)?;
            uniform += uniform_cross_entropy(&batch);
            constant += self.frequencies.cross_entropy(&batch);
        }
        let losses = sums.losses(&settings.loss_weights());
        let mean = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        Ok(Some(HeldOutReport {
            step,
            rows: sums.rows,
            policy_loss: losses.policy,
            policy_loss_uniform: mean(uniform, sums.policy_weight),
            policy_target_entropy: losses.policy_entropy,
            policy_accuracy: losses.policy_accuracy,
            value_loss: losses.value,
            value_loss_constant: mean(constant, sums.value_weight),
            value_accuracy: losses.value_accuracy,
        }))
    }
}

/// The sum over the rows of the weighted cross entropy of equal chances for all legal moves.
fn uniform_cross_entropy(batch: &Batch) -> f64 {
    let rows = batch.legal.rows().into_iter().zip(&batch.policy_weight);
    rows.map(|(legal, &weight)| {
        let moves: u32 = legal.iter().map(|&one| u32::from(one)).sum();
        f64::from(weight) * f64::from(moves.max(1)).ln()
    })
    .sum()
}
