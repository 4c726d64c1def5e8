use serde::{Deserialize, Serialize};

use super::DataCounts;

/// Where the next batch comes from: all that is needed to go on as if nothing had happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cursor {
    /// Times that all files have been read.
    pub epoch: u32,
    /// Blocks of the epoch's order before the rows that are shuffled together now.
    pub block: u64,
    /// Batches taken from those rows.
    pub batch: u64,
    /// Rows that are shuffled together.
    pub shuffle_rows: u64,
    /// Rows of a batch.
    pub batch_rows: u64,
    /// What was read before those rows.
    pub counts: DataCounts,
}
