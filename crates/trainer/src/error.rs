//! Why training ends early.

use keiko_model::{Head, WeightsError};
use keiko_network::{BackendOpenError, LearnerError, StateError, StepError, TorchError};
use keiko_replay::data::DataError;
use keiko_replay::{IngestError, SampleError, WindowError};
use keiko_store::{LogError, PutError, StoreError};

use crate::journal::METRICS;
use crate::settings::SettingsError;

/// Why a trainer could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Another learner has claimed a later epoch: this one is stale and must end.
    #[error("epoch {epoch} is no longer the learner's: epoch {newest} was claimed")]
    Stale {
        /// This learner's epoch.
        epoch: u32,
        /// The newest epoch in the log.
        newest: u32,
    },
    /// A generation was asked for that lies before what was trained.
    #[error("{have} entries of the ingest log are trained on, {asked} were asked for")]
    Backwards {
        /// Entries that the newest checkpoint has seen.
        have: u32,
        /// Entries asked for.
        asked: u32,
    },
    /// Too many batches gave a loss that is not finite.
    #[error(
        "{count} batches with a loss that is not finite, trainer.max_not_finite is {allowed}; \
         lower trainer.learning_rate or trainer.clip_norm"
    )]
    NotFinite {
        /// Such batches so far.
        count: u64,
        /// What the settings allow.
        allowed: u64,
        /// The last of them.
        source: StepError,
    },
    /// All checkpoints are gone or damaged: the run does not start from zero by itself.
    #[error("{candidates} candidates were trained, but no whole checkpoint is left in checkpoints")]
    NoCheckpoint {
        /// Candidates of the run.
        candidates: usize,
    },
    /// The metrics are shorter than a checkpoint says. No other file has what they held.
    #[error(
        "{METRICS} lost its end: it has {there} of the {needed} bytes that the newest checkpoint knows of; put it back \
         from a copy, or give its lines up: `yes '' | head -c {needed} >{METRICS}` in the run's folder puts empty \
         lines in their place"
    )]
    LostMetrics {
        /// Its length, in bytes.
        there: u64,
        /// The least length, in bytes.
        needed: u64,
    },
    /// A checkpoint holds other auxiliary heads than the config asks for.
    #[error(
        "{checkpoint} was trained with {has}, trainer.heads asks for {needs}: a run keeps the heads it began with, only \
         their weights may change"
    )]
    Heads {
        /// The checkpoint.
        checkpoint: String,
        /// Its heads.
        has: String,
        /// Those of the config.
        needs: String,
    },
    /// A checkpoint holds another net or optimiser than the config describes.
    #[error("{checkpoint} does not fit the config")]
    Checkpoint {
        /// The checkpoint.
        checkpoint: String,
        /// What does not fit.
        source: StateError,
    },
    /// A checkpoint holds another net than the config describes.
    #[error("{checkpoint} is of a net of another architecture than the config's")]
    Architecture {
        /// The checkpoint.
        checkpoint: String,
    },
    /// An entry of the log of candidates is not as it should be.
    #[error(
        "{key} is damaged ({problem}): put it back from a copy of the run; the newest of the log may be deleted, and is \
         made again"
    )]
    Candidate {
        /// The entry.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A training step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The learner failed.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// The weights are not as they should be.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A candidate could not be measured.
    #[error(transparent)]
    Evaluator(#[from] BackendOpenError),
    /// LibTorch failed.
    #[error("cannot train")]
    Torch(#[from] TorchError),
    /// The window could not be brought forward.
    #[error(transparent)]
    Window(#[from] WindowError),
    /// The ingest log could not be read.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// The files cannot be learnt from.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The window cannot fill a batch.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// A log could not be read or appended to.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An object could not be created.
    #[error(transparent)]
    Put(#[from] PutError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl TrainError {
    pub(crate) fn heads(checkpoint: String, has: &[Head], needs: &[Head]) -> Self {
        let named = |heads: &[Head]| match heads {
            [] => "no auxiliary head".to_owned(),
            heads => {
                let names: Vec<&str> = heads.iter().map(|head| head.name()).collect();
                format!("heads {}", names.join(", "))
            }
        };
        Self::Heads { checkpoint, has: named(has), needs: named(needs) }
    }
}
