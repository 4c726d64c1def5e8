//! What a run does not need any more.

use std::collections::BTreeSet;

use keiko_replay::IngestLog;
use keiko_store::Store;

use super::Run;

/// Games of so many newest entries of the ingest log stay, whatever the window: others may begin from them.
const MIN_ENTRIES: u32 = 2;

/// Objects that can go, with their bytes.
#[derive(Debug, Default)]
pub(crate) struct Cleaning {
    /// Shards in which no window that training may still want has a row.
    pub(crate) shards: Vec<(String, u64)>,
    /// Files of models that the gate rejected.
    pub(crate) models: Vec<(String, u64)>,
}

impl Cleaning {
    /// What can go from `run` if the models of the newest `keep` candidates stay. It may be running: what it still
    /// needs is not among it.
    ///
    /// # Errors
    /// The run cannot be read.
    pub(crate) fn of(run: &Run, keep: usize) -> anyhow::Result<Self> {
        Ok(Self { shards: old_shards(run)?, models: rejected_models(run, keep)? })
    }

    /// Deletes it. Cut short, it goes on where it was.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) fn perform(&self, run: &Run) -> anyhow::Result<()> {
        for (key, _) in self.shards.iter().chain(&self.models) {
            run.store().delete(key)?;
        }
        Ok(())
    }

    /// Bytes of some objects.
    pub(crate) fn bytes(objects: &[(String, u64)]) -> u64 {
        objects.iter().map(|(_, bytes)| bytes).sum()
    }
}

fn old_shards(run: &Run) -> anyhow::Result<Vec<(String, u64)>> {
    let store = run.store();
    // Without a checkpoint training begins with the first window.
    let Some(entries) = keiko_trainer::fewest_entries(store)? else { return Ok(Vec::new()) };
    let log = IngestLog::new(store);
    let mut newest = BTreeSet::new();
    let all = log.len()?;
    // The figures of what follows the oldest checkpoint may have to be made again, of all games.
    for number in all.saturating_sub(MIN_ENTRIES).min(entries.saturating_sub(1))..all {
        newest.extend(log.read(number)?.shards.into_iter().map(|shard| shard.key));
    }
    let old = keiko_replay::left_behind(store, &run.config().replay, entries)?;
    there(store, old.into_iter().map(|shard| shard.key).filter(|key| !newest.contains(key)))
}

fn rejected_models(run: &Run, keep: usize) -> anyhow::Result<Vec<(String, u64)>> {
    let store = run.store();
    let champions = run.champions().all()?;
    let candidates = keiko_trainer::candidates(store)?;
    let mut stays: BTreeSet<&str> = champions.iter().map(|it| it.model.as_str()).collect();
    stays.extend(candidates.iter().rev().take(keep).map(|it| it.model.as_str()));
    let mut found = Vec::new();
    for candidate in &candidates {
        let model = candidate.model.as_str();
        // One that awaits the gate, or whose promotion is not in the log yet, has no place here either.
        let rejected = run.verdict(model)?.is_some_and(|verdict| !verdict.promoted);
        if rejected && !stays.contains(model) {
            found.extend(there(store, store.list_after(&format!("models/{model}"), "")?)?);
        }
    }
    Ok(found)
}

/// Those of the objects that are there, with their bytes.
fn there(
    store: &dyn Store,
    keys: impl IntoIterator<Item = String>,
) -> anyhow::Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    for key in keys {
        if store.exists(&key)? {
            let bytes = store.len(&key)?;
            found.push((key, bytes));
        }
    }
    Ok(found)
}
