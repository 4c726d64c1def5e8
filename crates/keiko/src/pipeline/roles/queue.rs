//! The games that wait for the learner.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use keiko_replay::{IngestLog, ShardReader};
use keiko_store::Store;

/// What is in the store of a run that grows, as it was at the last look.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Entries of the ingest log.
    entries: u32,
    /// The shards that they name.
    entered: BTreeSet<String>,
    /// Games in these.
    entered_games: u64,
    /// Games of each other shard.
    waiting: BTreeMap<String, u64>,
    /// Games of each stream.
    streams: BTreeMap<String, u64>,
}

impl Queue {
    /// Looks again.
    ///
    /// # Errors
    /// The ingest log cannot be read, or a shard is damaged.
    pub(super) fn look(&mut self, store: &dyn Store) -> anyhow::Result<()> {
        let log = IngestLog::new(store);
        for number in self.entries..log.len()? {
            for shard in log.read(number)?.shards {
                if self.waiting.remove(&shard.key).is_none() {
                    self.count(&shard.key, u64::from(shard.games));
                }
                self.entered_games += u64::from(shard.games);
                self.entered.insert(shard.key);
            }
            self.entries = number + 1;
        }
        for key in store.list_after("games", "")? {
            if !self.entered.contains(&key) && !self.waiting.contains_key(&key) {
                let bytes = store.get(&key)?;
                let shard = ShardReader::open(&bytes).with_context(|| key.clone())?;
                let games = u64::from(shard.summary().games);
                self.count(&key, games);
                self.waiting.insert(key, games);
            }
        }
        Ok(())
    }

    /// Entries of the ingest log.
    pub(super) fn entries(&self) -> u32 {
        self.entries
    }

    /// Games that no entry of the ingest log names.
    pub(super) fn games(&self) -> u64 {
        self.waiting.values().sum()
    }

    /// All games of the run.
    pub(super) fn all_games(&self) -> u64 {
        self.entered_games + self.games()
    }

    /// Published games of a stream.
    pub(super) fn games_of(&self, stream: &str) -> u64 {
        self.streams.get(stream).copied().unwrap_or(0)
    }

    fn count(&mut self, key: &str, games: u64) {
        let stream = key.split('/').nth(1).unwrap_or_default();
        *self.streams.entry(stream.to_owned()).or_default() += games;
    }
}
