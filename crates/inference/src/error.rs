use std::error::Error;
use std::path::PathBuf;

use keiko_encoding::EncodingId;
use keiko_model::OnnxInfoError;

use crate::Provider;

/// Why a backend could not be made or gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The batch is written in another encoding than the backend reads.
    #[error("batch is encoded as {found}, the backend reads {expected}")]
    Encoding {
        /// What the backend reads.
        expected: EncodingId,
        /// What the batch holds.
        found: EncodingId,
    },
    /// The ticket was never given or is already collected.
    #[error("ticket {0} is not outstanding")]
    UnknownTicket(u64),
    /// The number of logits differs from the number of labels asked for.
    #[error("{found} logits for {expected} labels")]
    LogitCount {
        /// Labels in the request.
        expected: usize,
        /// Logits in the answer.
        found: usize,
    },
    /// The number of win/draw/loss triples differs from the number of rows.
    #[error("{found} win/draw/loss triples for {expected} rows")]
    WdlCount {
        /// Rows in the request.
        expected: usize,
        /// Triples in the answer.
        found: usize,
    },
    /// A logit is NaN or infinite.
    #[error("logit {logit} in row {row} is not finite")]
    LogitNotFinite {
        /// Row of the batch, from 0.
        row: usize,
        /// The value found.
        logit: f32,
    },
    /// A win/draw/loss triple is no probability distribution.
    #[error("win {win}, draw {draw}, loss {loss} in row {row} are no probabilities that sum to 1")]
    NotProbabilities {
        /// Row of the batch, from 0.
        row: usize,
        /// Probability of a win.
        win: f32,
        /// Probability of a draw.
        draw: f32,
        /// Probability of a loss.
        loss: f32,
    },
    /// A library or a model could not be loaded.
    #[error("cannot load {}", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The library of ONNX Runtime was built without what shall compute.
    #[error("{} has no {provider}, only {}", library.display(), names(found))]
    NoProvider {
        /// What was asked for.
        provider: Provider,
        /// The library.
        library: PathBuf,
        /// What it has.
        found: Vec<Provider>,
    },
    /// A file is no model of a form that this program knows.
    #[error("{} is no model for shogi", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is missing or does not fit.
        source: OnnxInfoError,
    },
    /// The device or the library computes something else than it should.
    #[error(
        "{backend} computes wrongly after {batches} batches: {problem}. The device, its driver or the library is at fault: \
         nothing of what it computed since the last check can be trusted"
    )]
    Wrong {
        /// Name of the backend.
        backend: String,
        /// Batches that it computed before.
        batches: u64,
        /// What is wrong.
        problem: String,
    },
    /// The device or the library failed while computing.
    #[error("backend {backend} failed")]
    Compute {
        /// Name of the backend.
        backend: String,
        /// What went wrong.
        source: Box<dyn Error + Send + Sync>,
    },
}

fn names(providers: &[Provider]) -> String {
    providers.iter().map(|provider| provider.name()).collect::<Vec<_>>().join(", ")
}
