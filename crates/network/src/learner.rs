//! Training: one net, its optimiser and its average over steps.

mod layout;
mod optimiser;
mod options;
mod outcome;
mod state;
mod trained;

use keiko_model::{Architecture, Weights};
use keiko_replay::Batch;
use tch::Tensor;

use self::layout::Layout;
use self::optimiser::Rate;
use self::trained::{Flat, TrainedNet};
use crate::TorchError;
use crate::error::Torch;
use crate::input::Unpacker;
use crate::loss::{Answers, Loss, Targets, slice};
use crate::memory::keep_freed;
use crate::threads::use_threads;

pub use self::optimiser::Optimiser;
pub use self::options::LearnerOptions;
pub use self::outcome::{LearnerError, Step, StepError};
pub use self::state::StateError;

/// How much a batch's own statistics weigh in the running ones after each step.
const NORM_MOMENTUM: f64 = 0.1;

/// A net in training.
///
/// Parameters, their average, the optimiser's moments and the norms' running statistics are one
/// flat fp32 vector each, those of the auxiliary heads at its end. So a step of the optimiser is a handful of operations, the whole state is
/// a few vectors ([`Self::state`]), and a learner restored from it goes on as if it had never
/// stopped, bit for bit on the same machine with the same number of threads.
#[derive(Debug)]
pub struct Learner {
    architecture: Architecture,
    options: LearnerOptions,
    layout: Layout,
    unpacker: Unpacker,
    /// Steps taken.
    steps: u64,
    /// Trained parameters; a leaf that gradients are asked for.
    parameters: Tensor,
    /// Exponential moving average of the parameters.
    average: Tensor,
    /// Running statistics of the norms under the parameters.
    statistics: Tensor,
    moments: Vec<Tensor>,
    decay_mask: Tensor,
}

impl Learner {
    /// A learner that starts from `weights` at step 0.
    ///
    /// # Errors
    ///
    /// [`LearnerError::Device`] names the setting where the device cannot be had,
    /// [`LearnerError::Weights`] the tensor that does not fit the architecture.
    pub fn new(
        architecture: &Architecture,
        weights: &Weights,
        options: LearnerOptions,
    ) -> Result<Self, LearnerError> {
        let device = options.device;
        device.open()?;
        keep_freed();
        use_threads(options.threads);
        let layout = Layout::new(architecture, &options.loss_weights.heads.heads());
        let heads = layout.heads.iter().flat_map(|it| it.initial(architecture, options.head_seed));
        let (parameters, statistics) = layout.flatten(weights, &heads.collect())?;
        let prepare = || -> Torch<Self> {
            let load = |values: &[f32]| Tensor::f_from_slice(values)?.f_to_device(device.torch());
            let parameters = load(&parameters)?;
            let moments = options.optimiser.moments().iter().map(|_| parameters.f_zeros_like());
            Ok(Self {
                architecture: architecture.clone(),
                options,
                unpacker: Unpacker::new(
                    architecture.encoding,
                    device,
                    options.precision.kind(device),
                ),
                steps: 0,
                average: parameters.f_detach_copy()?,
                statistics: load(&statistics)?,
                moments: moments.collect::<Torch<_>>()?,
                decay_mask: load(&layout.decay_mask())?,
                parameters: parameters.f_set_requires_grad(true)?,
                layout,
            })
        };
        Ok(prepare().map_err(TorchError::from)?)
    }

    /// Steps taken since the first weights.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The options this learner was made with.
    pub fn options(&self) -> &LearnerOptions {
        &self.options
    }

    /// Trains on one batch, whose rows must have the net's encoding.
    ///
    /// # Errors
    ///
    /// [`StepError::NotFinite`] where the loss or the gradient is not finite: nothing has changed.
    pub fn step(&mut self, batch: &Batch, learning_rate: f64) -> Result<Step, StepError> {
        use_threads(self.options.threads);
        let before = self.statistics.f_detach_copy().map_err(TorchError::from)?;
        let result = self.try_step(batch, learning_rate);
        if result.is_err() {
            self.statistics = before;
        }
        result
    }

    fn try_step(&mut self, batch: &Batch, learning_rate: f64) -> Result<Step, StepError> {
        let loss = tch::with_grad(|| self.loss(batch)).map_err(TorchError::from)?;
        let gradient =
            Tensor::f_run_backward(&[&loss.objective], &[&self.parameters], false, false)
                .map_err(TorchError::from)?
                .swap_remove(0);
        let _guard = tch::no_grad_guard();
        let norm = gradient.f_norm().map_err(TorchError::from)?;
        let (sums, gradient_norm) = loss.read(&norm).map_err(TorchError::from)?;
        let losses = sums.losses(&self.options.loss_weights);
        if !(losses.total.is_finite() && gradient_norm.is_finite()) {
            return Err(StepError::NotFinite { losses, gradient_norm });
        }
        self.update(gradient, gradient_norm, learning_rate).map_err(TorchError::from)?;
        Ok(Step { sums, losses, gradient_norm })
    }

    fn loss(&mut self, batch: &Batch) -> Torch<Loss> {
        let kind = self.options.precision.kind(self.options.device);
        let flat = Flat {
            parameters: &self.parameters,
            statistics: &self.statistics,
            momentum: NORM_MOMENTUM,
        };
        let net = TrainedNet::new(&self.architecture, &self.layout, &flat, kind)?;
        let input = self.unpacker.unpack(slice(&batch.rows), batch.rows.nrows())?;
        let trunk = net.net.trunk(&input)?;
        let output = net.net.answers(&trunk)?;
        let targets = Targets::new(batch, self.options.device)?;
        let heads = net.heads.iter().map(|(head, layers)| layers.loss(*head, &trunk, &targets));
        let heads: Vec<_> = heads.filter_map(Torch::transpose).collect::<Torch<_>>()?;
        let answers = Answers { output: &output, policy_bias: &net.policy_bias, heads: &heads };
        Loss::new(&answers, &targets, &self.options.loss_weights)
    }

    fn update(&mut self, mut gradient: Tensor, norm: f32, learning_rate: f64) -> Torch<()> {
        let LearnerOptions { optimiser, weight_decay, clip_norm, ema_decay, .. } = self.options;
        let norm = f64::from(norm);
        if norm > clip_norm {
            gradient = gradient.f_mul_scalar_(clip_norm / norm)?;
        }
        let mut parameters = self.parameters.f_detach()?;
        if weight_decay > 0.0 {
            let shrink = parameters.f_mul(&self.decay_mask)?;
            let shrink = shrink.f_mul_scalar(learning_rate * weight_decay)?;
            let _ = parameters.f_sub_(&shrink)?;
        }
        let rate = Rate { learning_rate, step: self.steps + 1 };
        optimiser.update(&mut parameters, &gradient, &mut self.moments, rate)?;
        let weight = 1.0 - average_decay(ema_decay, self.steps);
        let _ = self.average.f_lerp_(&parameters, weight)?;
        self.steps += 1;
        Ok(())
    }

    /// The weights of the net for play as trained, with the running statistics of their norms.
    ///
    /// # Errors
    ///
    /// [`LearnerError::Weights`] where a weight is not finite.
    pub fn weights(&self) -> Result<Weights, LearnerError> {
        self.export(&self.parameters, &self.statistics)
    }

    /// The averaged weights, which usually play better than the last ones. The norms' statistics
    /// belong to the weights that made them, so they are taken anew: their mean over `batches`
    /// under the averaged weights. Without a batch the trained weights' running statistics stand
    /// in. Training is not affected.
    ///
    /// # Errors
    ///
    /// [`LearnerError::Weights`] where a weight is not finite.
    pub fn averaged_weights<'a>(
        &mut self,
        batches: impl IntoIterator<Item = &'a Batch>,
    ) -> Result<Weights, LearnerError> {
        use_threads(self.options.threads);
        let statistics = self.refreshed(batches).map_err(TorchError::from)?;
        self.export(&self.average, &statistics)
    }

    fn refreshed<'a>(&mut self, batches: impl IntoIterator<Item = &'a Batch>) -> Torch<Tensor> {
        let _guard = tch::no_grad_guard();
        let kind = self.options.precision.kind(self.options.device);
        let statistics = self.statistics.f_detach_copy()?;
        for (index, batch) in batches.into_iter().enumerate() {
            let flat = Flat {
                parameters: &self.average,
                statistics: &statistics,
                // The first batch replaces what was there; after n batches each weighs 1 / n.
                momentum: 1.0 / (index as f64 + 1.0),
            };
            let net = TrainedNet::new(&self.architecture, &self.layout, &flat, kind)?;
            let input = self.unpacker.unpack(slice(&batch.rows), batch.rows.nrows())?;
            net.net.forward(&input)?;
        }
        Ok(statistics)
    }

    fn export(&self, parameters: &Tensor, statistics: &Tensor) -> Result<Weights, LearnerError> {
        let read = |tensor: &Tensor| -> Torch<Vec<f32>> { tensor.f_detach()?.try_into() };
        let parameters = read(parameters).map_err(TorchError::from)?;
        let statistics = read(statistics).map_err(TorchError::from)?;
        Ok(self.layout.unflatten(&parameters, &statistics)?)
    }
}

/// The decay of the average in the step after `steps` steps. It grows from 0.1 to `decay`, so that
/// the first, untrained weights leave the average soon.
fn average_decay(decay: f64, steps: u64) -> f64 {
    let steps = steps as f64;
    decay.min((1.0 + steps) / (10.0 + steps))
}

#[cfg(test)]
mod tests;
