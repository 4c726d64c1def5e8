//! What can be wrong with a game record.

use keiko_shogi::{EndReason, Move, Outcome, SfenError};
use thiserror::Error;

use crate::policy::PolicyError;
use crate::wdl::WdlError;

/// Why bytes or values are no valid game record. Plies are counted from 0.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The bytes are no record of this layout.
    #[error("malformed record: {0}")]
    Malformed(String),
    /// Bytes follow the record.
    #[error("{0} bytes follow the record")]
    Trailing(usize),
    /// A version that this program does not know.
    #[error("record version {0} is unknown; a newer program may read it")]
    Version(u8),
    /// The record is larger than a record may be.
    #[error("the record takes {0} bytes, more than {max}", max = super::MAX_RECORD_BYTES)]
    TooLarge(usize),
    /// A field holds what it may not hold.
    #[error("field {field} holds {value}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it holds.
        value: String,
    },
    /// The start position is none.
    #[error("start position: {0}")]
    Start(#[from] SfenError),
    /// A ply's values are no shares.
    #[error("ply {ply}: {source}")]
    Wdl {
        /// The ply.
        ply: usize,
        /// What is wrong.
        source: WdlError,
    },
    /// A ply's policy is none.
    #[error("ply {ply}: {source}")]
    Policy {
        /// The ply.
        ply: usize,
        /// What is wrong.
        source: PolicyError,
    },
    /// A ply's parts contradict each other.
    #[error("ply {ply}: {problem}")]
    Ply {
        /// The ply.
        ply: usize,
        /// The contradiction.
        problem: &'static str,
    },
    /// A move, played or in a policy, is not legal in its position.
    #[error("ply {ply}: {mv} is not legal")]
    IllegalMove {
        /// The ply.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// The game went on although the rules ended it.
    #[error("ply {ply}: the game had ended by {reason:?}")]
    PlayedOn {
        /// The ply played after the end.
        ply: usize,
        /// Why the game had ended.
        reason: EndReason,
    },
    /// The rules do not give this end at the last position.
    #[error("the rules do not end this game by {reason:?} with {outcome:?}")]
    End {
        /// The recorded reason.
        reason: EndReason,
        /// The recorded outcome.
        outcome: Outcome,
    },
}
