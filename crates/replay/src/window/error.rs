//! What can go wrong with a window.

use thiserror::Error;

use crate::ingest::IngestError;
use crate::record::RecordError;
use crate::settings::SettingsError;
use crate::shard::ShardError;

/// Why a window could not be brought forward.
#[derive(Debug, Error)]
pub enum WindowError {
    /// A value of the settings is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The ingest log could not be read.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// A shard of the log is damaged.
    #[error("{key}: {source}")]
    Shard {
        /// The shard.
        key: String,
        /// What is wrong with it.
        source: ShardError,
    },
    /// A shard of the log is gone.
    #[error(
        "{key} is gone, but the ingest log names it and its games are still in the window: put it back, or make \
         replay.window smaller"
    )]
    Missing {
        /// The shard.
        key: String,
    },
    /// A shard is not the one that the log names.
    #[error("{key} is not what the ingest log says: its {field} differs")]
    NotAsLogged {
        /// The shard.
        key: String,
        /// What differs.
        field: &'static str,
    },
    /// Games would be in the window twice.
    #[error("{key} holds games of stream {stream} that another shard of the log holds")]
    Duplicate {
        /// The second shard.
        key: String,
        /// The stream.
        stream: String,
    },
    /// More games break the rules than the settings allow.
    #[error(
        "{count} games break the rules, {allowed} are allowed; the last one in {key}: {source}"
    )]
    BadGames {
        /// Games that break the rules.
        count: u64,
        /// How many may.
        allowed: u64,
        /// The shard of the last one.
        key: String,
        /// What is wrong with the last one.
        source: RecordError,
    },
    /// The log is shorter than the window.
    #[error("the window has read {have} entries of the ingest log and cannot go back to {asked}")]
    Backwards {
        /// Entries read.
        have: u32,
        /// Entries asked for.
        asked: u32,
    },
}
