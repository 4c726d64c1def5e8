//! Losses of a finished net.

use keiko_model::{Architecture, Folded};
use keiko_replay::Batch;
use tch::Kind;

use crate::backend::BackendOpenError;
use crate::folded::FoldedNet;
use crate::input::Unpacker;
use crate::loss::{Answers, Loss, Targets, slice};
use crate::memory::keep_freed;
use crate::threads::use_threads;
use crate::{Device, LossSums, LossWeights, TorchError};

/// Computes the losses of a net as it will play: folded, in fp32, without batch statistics.
#[derive(Debug)]
pub struct Evaluator {
    net: FoldedNet,
    unpacker: Unpacker,
    device: Device,
    threads: usize,
}

impl Evaluator {
    /// Copies a net to its device.
    ///
    /// # Errors
    ///
    /// [`BackendOpenError::Device`] names the setting where the device cannot be had.
    pub fn new(
        architecture: &Architecture,
        folded: &Folded,
        device: Device,
        threads: usize,
    ) -> Result<Self, BackendOpenError> {
        device.open()?;
        keep_freed();
        use_threads(threads);
        let _guard = tch::no_grad_guard();
        let net =
            FoldedNet::new(architecture, folded, device, Kind::Float).map_err(TorchError::from)?;
        let unpacker = Unpacker::new(architecture.encoding, device, Kind::Float);
        Ok(Self { net, unpacker, device, threads })
    }

    /// The losses of the net on `batch`, whose rows must have the net's encoding.
    ///
    /// # Errors
    ///
    /// [`TorchError`] where LibTorch fails.
    pub fn evaluate(&mut self, batch: &Batch) -> Result<LossSums, TorchError> {
        use_threads(self.threads);
        let _guard = tch::no_grad_guard();
        let input = self.unpacker.unpack(slice(&batch.rows), batch.rows.nrows())?;
        let output = self.net.net.forward(&input)?;
        let targets = Targets::new(batch, self.device)?;
        let answers = Answers { output: &output, policy_bias: &self.net.policy_bias, heads: &[] };
        let loss = Loss::new(&answers, &targets, &LossWeights::EVEN)?;
        Ok(loss.read(&loss.objective)?.0)
    }
}
