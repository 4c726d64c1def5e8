//! Finished shards into the ingest log.

use keiko_replay::{IngestEntry, IngestError, IngestLog, IngestedShard};
use keiko_store::Store;

/// Enters every finished shard that no entry names yet, in the order of their keys, as one entry,
/// and returns the number of entries. Only the learner does this, so that the log has one writer.
///
/// # Errors
///
/// [`IngestError::Shard`] names a shard that is damaged; nothing is entered then.
pub fn ingest_pending(store: &dyn Store) -> Result<u32, IngestError> {
    let log = IngestLog::new(store);
    let entries = log.len()?;
    let pending = log.pending()?;
    if pending.is_empty() {
        return Ok(entries);
    }
    let shards = pending
        .iter()
        .map(|key| Ok(IngestedShard::examine(store, key)?.0))
        .collect::<Result<_, IngestError>>()?;
    log.append(entries, &IngestEntry { shards })?;
    Ok(entries + 1)
}
