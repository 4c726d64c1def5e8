//! Checkpoints: what a trainer resumes from.

use std::collections::BTreeMap;

use keiko_model::{Architecture, Head};
use keiko_store::{Sha256, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::TrainError;
use crate::journal::METRICS;
use crate::progress::Progress;

const FOLDER: &str = "checkpoints";
const VERSION: u32 = 1;
const STATE: &str = "state.safetensors";
const WEIGHTS: &str = "weights.safetensors";
/// Written last: a folder without it is no checkpoint.
const INDEX: &str = "state.toml";

/// The file `state.toml` of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checkpoint {
    pub(crate) version: u32,
    /// Epoch of the learner that wrote it.
    pub(crate) epoch: u32,
    /// Steps taken.
    pub(crate) step: u64,
    /// Length of the metrics, in bytes.
    pub(crate) metrics_bytes: u64,
    /// Hash of the learner's state.
    pub(crate) state_sha256: String,
    /// Hash of the weights.
    pub(crate) weights_sha256: String,
    /// The heads that only training has; the state holds them, the weights do not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) heads: Vec<Head>,
    pub(crate) architecture: Architecture,
    pub(crate) progress: Progress,
}

/// What a checkpoint is made from.
#[derive(Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) epoch: u32,
    pub(crate) step: u64,
    pub(crate) metrics_bytes: u64,
    pub(crate) architecture: &'a Architecture,
    pub(crate) heads: Vec<Head>,
    pub(crate) progress: &'a Progress,
    /// The learner's state, a safetensors file.
    pub(crate) state: &'a [u8],
    /// The weights as trained, a safetensors file for other readers.
    pub(crate) weights: &'a [u8],
}

/// A checkpoint as read.
#[derive(Debug)]
pub(crate) struct Restored {
    /// Its folder.
    pub(crate) key: String,
    pub(crate) checkpoint: Checkpoint,
    /// The learner's state.
    pub(crate) state: Vec<u8>,
}

/// Writes a checkpoint and returns its folder.
pub(crate) fn write(store: &dyn Store, contents: &Contents<'_>) -> Result<String, TrainError> {
    let Contents { epoch, step, metrics_bytes, state, weights, .. } = *contents;
    let folder = format!("{FOLDER}/{epoch:06}-{step:010}");
    let checkpoint = Checkpoint {
        version: VERSION,
        epoch,
        step,
        metrics_bytes,
        state_sha256: Sha256::of(state).to_string(),
        weights_sha256: Sha256::of(weights).to_string(),
        heads: contents.heads.clone(),
        architecture: contents.architecture.clone(),
        progress: contents.progress.clone(),
    };
    let index = toml::to_string(&checkpoint).expect("tables of numbers and text have a text");
    store.put_new(&format!("{folder}/{STATE}"), state)?;
    store.put_new(&format!("{folder}/{WEIGHTS}"), weights)?;
    store.put_new(&format!("{folder}/{INDEX}"), index.as_bytes())?;
    Ok(folder)
}

/// Reads the newest whole checkpoint. One that is damaged is told to `damaged`, with what is wrong
/// with it, and the one before is tried.
pub(crate) fn newest(
    store: &dyn Store,
    mut damaged: impl FnMut(String, String),
) -> Result<Option<Restored>, TrainError> {
    for (folder, files) in folders(store)?.into_iter().rev() {
        if !files.contains(&format!("{folder}/{INDEX}")) {
            continue;
        }
        match read(store, &folder) {
            Ok((checkpoint, state)) => {
                return Ok(Some(Restored { key: folder, checkpoint, state }));
            }
            Err(Damage::Store(error)) => return Err(error.into()),
            Err(Damage::Content(problem)) => damaged(folder, problem),
        }
    }
    Ok(None)
}

/// Makes sure that the metrics are as long as the newest checkpoint says: training goes on at that place.
///
/// # Errors
///
/// [`TrainError::LostMetrics`] if they are shorter.
pub fn check_metrics(store: &dyn Store) -> Result<(), TrainError> {
    let newest = folders(store)?.into_iter().rev().find_map(|(folder, files)| {
        let index = format!("{folder}/{INDEX}");
        files.contains(&index).then_some(index)
    });
    let Some(index) = newest else { return Ok(()) };
    // A damaged checkpoint is told when training goes on from an older one.
    let Some(Checkpoint { metrics_bytes: needed, .. }) = read_index(store, &index)? else {
        return Ok(());
    };
    let there = if store.exists(METRICS)? { store.len(METRICS)? } else { 0 };
    if there < needed { Err(TrainError::LostMetrics { there, needed }) } else { Ok(()) }
}

/// The fewest entries of the ingest log that any checkpoint was trained on; none where there is no checkpoint. One that
/// is damaged counts as 0: what it would need is not known.
///
/// # Errors
///
/// If the store fails.
pub fn fewest_entries(store: &dyn Store) -> Result<Option<u32>, TrainError> {
    let mut fewest: Option<u32> = None;
    for (folder, files) in folders(store)? {
        let index = format!("{folder}/{INDEX}");
        if !files.contains(&index) {
            continue;
        }
        let entries =
            read_index(store, &index)?.map_or(0, |checkpoint| checkpoint.progress.entries);
        fewest = Some(fewest.map_or(entries, |fewest| fewest.min(entries)));
    }
    Ok(fewest)
}

/// The file `state.toml` at `key`; none where it is damaged.
fn read_index(store: &dyn Store, key: &str) -> Result<Option<Checkpoint>, StoreError> {
    match store.get(key) {
        Ok(text) => Ok(toml::from_slice(&text).ok()),
        Err(StoreError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Deletes all but the newest `keep` checkpoints, and what older unfinished ones left behind.
pub(crate) fn prune(store: &dyn Store, keep: usize) -> Result<(), TrainError> {
    let mut kept = 0;
    for (folder, files) in folders(store)?.into_iter().rev() {
        let index = format!("{folder}/{INDEX}");
        if kept < keep {
            kept += usize::from(files.contains(&index));
            continue;
        }
        // Without its index it is no checkpoint any more, whatever remains of it after a kill.
        store.delete(&index)?;
        for file in files {
            store.delete(&file)?;
        }
    }
    Ok(())
}

/// The files of each folder; folders sort by epoch, then by step.
fn folders(store: &dyn Store) -> Result<BTreeMap<String, Vec<String>>, TrainError> {
    let mut folders = BTreeMap::<_, Vec<_>>::new();
    for key in store.list_after(FOLDER, "")? {
        if let Some((folder, _)) = key.rsplit_once('/') {
            folders.entry(folder.to_owned()).or_default().push(key);
        }
    }
    Ok(folders)
}

/// Why a checkpoint cannot be read.
enum Damage {
    /// The store failed: another time may be better.
    Store(StoreError),
    /// It is not what was written.
    Content(String),
}

fn read(store: &dyn Store, folder: &str) -> Result<(Checkpoint, Vec<u8>), Damage> {
    let get = |name: &str| match store.get(&format!("{folder}/{name}")) {
        Err(StoreError::NotFound { .. }) => Err(Damage::Content(format!("{name} is missing"))),
        Err(damaged @ StoreError::Damaged { .. }) => Err(Damage::Content(damaged.to_string())),
        other => other.map_err(Damage::Store),
    };
    let problem = |error: String| Damage::Content(format!("{INDEX}: {error}"));
    let index = String::from_utf8(get(INDEX)?).map_err(|error| problem(error.to_string()))?;
    let checkpoint: Checkpoint =
        toml::from_str(&index).map_err(|error| problem(error.to_string()))?;
    if checkpoint.version != VERSION {
        return Err(problem(format!("version {} is not {VERSION}", checkpoint.version)));
    }
    let state = get(STATE)?;
    for (name, hash, bytes) in [
        (STATE, &checkpoint.state_sha256, &state),
        (WEIGHTS, &checkpoint.weights_sha256, &get(WEIGHTS)?),
    ] {
        if Sha256::of(bytes).to_string() != *hash {
            return Err(Damage::Content(format!("{name} has another hash than {INDEX} says")));
        }
    }
    Ok((checkpoint, state))
}

#[cfg(test)]
mod tests;
