//! LibTorch as a backend of the search.

use std::collections::BTreeMap;

use keiko_encoding::{EncodingId, LABELS};
use keiko_inference::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket, Wdl};
use keiko_model::{Architecture, Folded};
use tch::{Kind, Tensor};

use crate::error::Torch;
use crate::folded::FoldedNet;
use crate::input::{SQUARES, Unpacker, size};
use crate::memory::keep_freed;
use crate::threads::use_threads;
use crate::upload::upload;
use crate::{Device, DeviceError, Precision, TorchError};

/// How a [`TorchBackend`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TorchOptions {
    /// Where.
    pub device: Device,
    /// In which number format.
    pub precision: Precision,
    /// LibTorch's threads within one operation; 1 for one of several workers on a processor.
    pub threads: usize,
}

/// Why a net could not be brought to its device.
#[derive(Debug, thiserror::Error)]
pub enum BackendOpenError {
    /// The device cannot be had.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// LibTorch refused the weights.
    #[error("cannot load the net")]
    Torch(#[from] TorchError),
}

/// A folded net computed by LibTorch: channels-last, in the precision asked for, every batch padded
/// to the shape it names.
///
/// On a processor a batch is computed when it is submitted; on a GPU it is started then and
/// [`collect`](Backend::collect) waits for it. One instance belongs to one thread at a time and
/// gives that thread its number of LibTorch threads.
#[derive(Debug)]
pub struct TorchBackend {
    encoding: EncodingId,
    options: TorchOptions,
    net: FoldedNet,
    policy_bias: Vec<f32>,
    unpacker: Unpacker,
    next: u64,
    started: BTreeMap<u64, Started>,
}

/// A batch on its way.
#[derive(Debug)]
struct Started {
    request: RequestBatch,
    /// fp32: one number a label asked for, without the label's bias; then win, draw and loss of each of the batch's rows.
    /// One tensor, as on a GPU each that is fetched waits for all that the other workers asked for meanwhile.
    answers: Tensor,
}

impl TorchBackend {
    /// Copies a net to its device.
    ///
    /// # Errors
    ///
    /// [`BackendOpenError::Device`] names the setting where the device cannot be had.
    pub fn new(
        architecture: &Architecture,
        folded: &Folded,
        options: TorchOptions,
    ) -> Result<Self, BackendOpenError> {
        let TorchOptions { device, precision, threads } = options;
        device.open()?;
        keep_freed();
        use_threads(threads);
        let _guard = tch::no_grad_guard();
        let kind = precision.kind(device);
        let encoding = architecture.encoding;
        let net = FoldedNet::new(architecture, folded, device, kind).map_err(TorchError::from)?;
        Ok(Self {
            encoding,
            options: TorchOptions { precision: precision.resolve(device), ..options },
            net,
            policy_bias: folded.policy.bias.clone(),
            unpacker: Unpacker::new(encoding, device, kind),
            next: 0,
            started: BTreeMap::new(),
        })
    }

    /// [`new`](Self::new) for those who take any backend.
    ///
    /// # Errors
    ///
    /// [`BackendError::Compute`] with the device, because of what [`new`](Self::new) says.
    pub fn open(
        architecture: &Architecture,
        folded: &Folded,
        options: TorchOptions,
    ) -> Result<Box<dyn Backend>, BackendError> {
        match Self::new(architecture, folded, options) {
            Ok(backend) => Ok(Box::new(backend)),
            Err(error) => Err(BackendError::Compute {
                backend: format!("torch on {}", options.device),
                source: Box::new(error),
            }),
        }
    }

    /// How this backend computes; [`Precision::Auto`] is replaced by what it stands for.
    pub fn options(&self) -> TorchOptions {
        self.options
    }

    fn start(&mut self, request: RequestBatch) -> Torch<Started> {
        let input = self.unpacker.unpack(request.rows(), request.shape())?;
        let output = self.net.net.forward(&input)?;
        let index = upload(&places(&request), self.options.device)?;
        let logits =
            output.policy.f_permute([0, 2, 3, 1])?.f_reshape(-1)?.f_index_select(0, &index)?;
        let wdl = output.value.f_softmax(-1, Kind::Float)?.f_reshape(-1)?;
        let answers = Tensor::f_cat(&[logits.f_to_kind(Kind::Float)?, wdl], 0)?;
        Ok(Started { request, answers })
    }

    fn finish(&self, started: &Started) -> Torch<(Vec<f32>, Vec<Wdl>)> {
        let Started { request, answers } = started;
        let mut logits: Vec<f32> = answers.try_into()?;
        let (wdl, _) = logits[request.labels().len()..].as_chunks();
        let wdl = wdl.iter().map(|&[win, draw, loss]| Wdl { win, draw, loss });
        let wdl = wdl.take(request.len()).collect();
        logits.truncate(request.labels().len());
        for (logit, &label) in logits.iter_mut().zip(request.labels()) {
            *logit += self.policy_bias[usize::from(label)];
        }
        Ok((logits, wdl))
    }

    fn failed(&self, error: tch::TchError) -> BackendError {
        BackendError::Compute { backend: self.name(), source: Box::new(TorchError::from(error)) }
    }
}

impl Backend for TorchBackend {
    fn encoding(&self) -> EncodingId {
        self.encoding
    }

    fn name(&self) -> String {
        let precision = match self.options.precision {
            Precision::Bf16 => "bf16",
            Precision::Fp32 | Precision::Auto => "fp32",
        };
        format!("torch-{}-{precision}", self.options.device)
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        batch.require(self.encoding)?;
        use_threads(self.options.threads);
        let _guard = tch::no_grad_guard();
        let started = self.start(batch).map_err(|error| self.failed(error))?;
        let ticket = self.next;
        self.next += 1;
        self.started.insert(ticket, started);
        Ok(Ticket(ticket))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let started =
            self.started.remove(&ticket.0).ok_or(BackendError::UnknownTicket(ticket.0))?;
        let _guard = tch::no_grad_guard();
        let (logits, wdl) = self.finish(&started).map_err(|error| self.failed(error))?;
        ResponseBatch::new(started.request, logits, wdl)
    }
}

/// Where the labels' logits lie in a policy of layout `[rows, 81, 27]`.
fn places(request: &RequestBatch) -> Vec<i64> {
    let mut places = Vec::with_capacity(request.labels().len());
    for row in 0..request.len() {
        places.extend(request.labels_of(row).iter().map(|&label| {
            let (class, square) = (usize::from(label) / SQUARES, usize::from(label) % SQUARES);
            size(row * LABELS + square * (LABELS / SQUARES) + class)
        }));
    }
    places
}

#[cfg(test)]
mod tests;
