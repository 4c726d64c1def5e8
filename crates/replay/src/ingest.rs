//! The log of what entered the window, in which order.

use std::collections::BTreeSet;

use keiko_store::{LogError, NumberedLog, Sha256, Store, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::record::is_name;
use crate::shard::{FinishedShard, ShardError, ShardReader, ShardSummary};

/// The folder of the log.
const FOLDER: &str = "ingest";

/// The folder of the shards.
const GAMES: &str = "games";

/// One entry of the ingest log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IngestEntry {
    /// The shards that entered, in order.
    pub shards: Vec<IngestedShard>,
}

/// A shard in the ingest log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IngestedShard {
    /// Its key in the store.
    pub key: String,
    /// The hash of its bytes.
    pub sha256: Sha256,
    /// The stream of its games.
    pub stream: String,
    /// Index of its first game in the stream.
    pub first_index: u64,
    /// Index of its last game in the stream.
    pub last_index: u64,
    /// Games in it.
    pub games: u32,
    /// Plies that were searched with the full budget.
    pub full_plies: u64,
    /// Plies that were searched with the small budget.
    pub fast_plies: u64,
}

/// Why the ingest log could not be read or appended to.
#[derive(Debug, Error)]
pub enum IngestError {
    /// The numbered log failed.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A shard that is to enter is damaged.
    #[error("{key}: {source}")]
    Shard {
        /// The shard.
        key: String,
        /// What is wrong with it.
        source: ShardError,
    },
    /// An entry is no text of this layout.
    #[error("{key} is damaged ({problem}): put it back from a copy of the run")]
    Entry {
        /// The entry.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl IngestedShard {
    /// The line for a shard that was just written under `key`.
    #[must_use]
    pub fn of_finished(key: &str, stream: &str, shard: &FinishedShard) -> Self {
        Self::new(key, stream, shard.sha256, shard.summary)
    }

    /// Reads the shard at `key` whole, as it is before it may enter. Also says how many of its games
    /// break the rules.
    ///
    /// # Errors
    ///
    /// [`IngestError::Shard`] if it is damaged.
    pub fn examine(store: &dyn Store, key: &str) -> Result<(Self, u64), IngestError> {
        let bytes = store.get(key)?;
        let damaged = |source| IngestError::Shard { key: key.to_owned(), source };
        let shard = ShardReader::open(&bytes).map_err(damaged)?;
        let games = shard.read_all().map_err(damaged)?;
        let bad = games.iter().filter(|game| game.is_err()).count();
        let line = Self::new(key, &shard.header().stream, Sha256::of(&bytes), shard.summary());
        Ok((line, bad as u64))
    }

    fn new(key: &str, stream: &str, sha256: Sha256, summary: ShardSummary) -> Self {
        Self {
            key: key.to_owned(),
            sha256,
            stream: stream.to_owned(),
            first_index: summary.first_index,
            last_index: summary.last_index,
            games: summary.games,
            full_plies: summary.full_plies,
            fast_plies: summary.fast_plies,
        }
    }

    /// What the shard must hold.
    #[must_use]
    pub fn summary(&self) -> ShardSummary {
        ShardSummary {
            games: self.games,
            full_plies: self.full_plies,
            fast_plies: self.fast_plies,
            first_index: self.first_index,
            last_index: self.last_index,
        }
    }
}

/// The numbered log `ingest/NNNNNNNN.toml`.
#[derive(Clone, Debug)]
pub struct IngestLog<'s> {
    store: &'s dyn Store,
    log: NumberedLog<'s>,
}

impl<'s> IngestLog<'s> {
    /// The ingest log of the run in `store`.
    pub fn new(store: &'s dyn Store) -> Self {
        Self { store, log: NumberedLog::with_digits(store, FOLDER, 8) }
    }

    /// How many entries there are.
    ///
    /// # Errors
    ///
    /// As for [`NumberedLog::len`].
    pub fn len(&self) -> Result<u32, IngestError> {
        Ok(self.log.len()?)
    }

    /// Whether nothing was ingested yet.
    ///
    /// # Errors
    ///
    /// As for [`len`](Self::len).
    pub fn is_empty(&self) -> Result<bool, IngestError> {
        Ok(self.len()? == 0)
    }

    /// Creates entry `number`, the number of entries so far.
    ///
    /// # Errors
    ///
    /// [`LogError::Exists`] if the entry is there already, which after a restart may be this same one.
    pub fn append(&self, number: u32, entry: &IngestEntry) -> Result<(), IngestError> {
        let text = toml::to_string(entry).map_err(|e| self.wrong(number, e.to_string()))?;
        Ok(self.log.append(number, text.as_bytes())?)
    }

    /// Entry `number`.
    ///
    /// # Errors
    ///
    /// [`IngestError::Entry`] if it is no entry, a store's error if there is none.
    pub fn read(&self, number: u32) -> Result<IngestEntry, IngestError> {
        let bytes = self.log.read(number)?;
        let text = std::str::from_utf8(&bytes).map_err(|e| self.wrong(number, e.to_string()))?;
        let entry: IngestEntry =
            toml::from_str(text).map_err(|e| self.wrong(number, e.message().to_owned()))?;
        for shard in &entry.shards {
            let holds = shard.games > 0 && shard.first_index <= shard.last_index;
            if !holds || !is_name(&shard.stream, 64) {
                return Err(self.wrong(number, format!("the line of {} is malformed", shard.key)));
            }
        }
        Ok(entry)
    }

    /// The keys of the shards in the store that no entry names yet, in order.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    pub fn pending(&self) -> Result<Vec<String>, IngestError> {
        let mut entered = BTreeSet::new();
        for number in 0..self.len()? {
            entered.extend(self.read(number)?.shards.into_iter().map(|shard| shard.key));
        }
        let mut keys = self.store.list_after(GAMES, "")?;
        keys.retain(|key| !entered.contains(key));
        Ok(keys)
    }

    fn wrong(&self, number: u32, problem: String) -> IngestError {
        IngestError::Entry { key: self.log.key(number), problem }
    }
}
