//! What can be wrong with a shard.

use thiserror::Error;

use crate::record::RecordError;

/// Why a shard could not be written or read.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The bytes do not start, or end, as a shard does.
    #[error("not a whole shard: its {0} is missing")]
    Magic(&'static str),
    /// A version that this program does not know.
    #[error("shard version {0} is unknown; a newer program may read it")]
    Version(u16),
    /// A checksum does not fit the bytes.
    #[error("the checksum of the shard's {0} does not fit: the file is damaged")]
    Checksum(&'static str),
    /// Lengths or counts contradict each other.
    #[error("the shard's {0} contradicts the rest of the file")]
    Layout(&'static str),
    /// A block does not unpack to the length it names.
    #[error("block {0} of the shard does not unpack")]
    Unpack(usize),
    /// There is no such block.
    #[error("the shard has no block {0}")]
    NoBlock(usize),
    /// A shard holds at least one game.
    #[error("a shard without games")]
    Empty,
    /// The header names what cannot be named.
    #[error("the shard's header field {field} holds {value:?}")]
    Header {
        /// The field.
        field: &'static str,
        /// What it holds.
        value: String,
    },
    /// A game that does not belong into the shard.
    #[error("game {index} does not belong into this shard: {problem}")]
    Foreign {
        /// The game's index.
        index: u64,
        /// What does not fit.
        problem: &'static str,
    },
    /// A game that cannot be written.
    #[error("game {index}: {source}")]
    Record {
        /// The game's index.
        index: u64,
        /// What is wrong with it.
        source: RecordError,
    },
    /// The compressor failed.
    #[error("cannot compress a block: {0}")]
    Compress(std::io::Error),
}
