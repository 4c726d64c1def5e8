use std::error::Error;

use keiko_inference::BackendError;
use keiko_play::PlayError;

use crate::SettingsError;
use crate::record::RecordError;

/// Why a generation failed.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A number of the self-play settings is out of its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A number of the search settings is out of its range.
    #[error(transparent)]
    Search(#[from] keiko_mcts::SettingsError),
    /// A worker's backend could not be made.
    #[error("worker {worker} has no backend")]
    Backend {
        /// The worker, from 0.
        worker: usize,
        /// What went wrong.
        source: BackendError,
    },
    /// A game could not be played on.
    #[error("worker {worker} cannot play on")]
    Play {
        /// The worker, from 0.
        worker: usize,
        /// What went wrong.
        source: PlayError,
    },
    /// What a search found cannot be written down.
    #[error("game {index} is no record")]
    Record {
        /// The game.
        index: u64,
        /// What is wrong.
        source: RecordError,
    },
    /// A shard could not be stored.
    #[error("cannot publish shard {number}")]
    Publish {
        /// The shard.
        number: u64,
        /// What went wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A worker panicked.
    #[error("worker {worker} panicked")]
    Panicked {
        /// The worker, from 0.
        worker: usize,
    },
}
