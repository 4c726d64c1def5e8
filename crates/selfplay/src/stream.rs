use std::collections::BTreeSet;
use std::error::Error;

use keiko_replay::{GameRecord, RecordError, ShardError, ShardHeader, ShardReader, ShardWriter};
use keiko_store::{Store, StoreError};

use crate::{ShardSink, Statistics};

/// The shards of one stream in a run's store: `games/<stream>/<number>.games`, numbers of six digits from 0
/// without a gap.
#[derive(Debug)]
pub struct Stream<'a> {
    store: &'a dyn Store,
    header: ShardHeader,
}

/// Why the published shards of a stream cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A key in the stream's folder names no shard.
    #[error("{0} is not the name of a shard")]
    Key(String),
    /// A shard is damaged.
    #[error("{key}")]
    Shard {
        /// The shard.
        key: String,
        /// What is wrong.
        source: ShardError,
    },
    /// A game of a shard is damaged.
    #[error("{key}")]
    Game {
        /// The shard.
        key: String,
        /// What is wrong.
        source: RecordError,
    },
}

impl<'a> Stream<'a> {
    /// The stream that `header` names; new shards get this header.
    #[must_use]
    pub fn new(store: &'a dyn Store, header: ShardHeader) -> Self {
        Self { store, header }
    }

    /// The key of a shard.
    #[must_use]
    pub fn key(&self, number: u64) -> String {
        format!("{}/{number:06}.games", self.folder())
    }

    fn folder(&self) -> String {
        format!("games/{}", self.header.stream)
    }

    /// The numbers of the shards that are published.
    ///
    /// # Errors
    /// When the store fails or holds something else in the stream's folder.
    pub fn published(&self) -> Result<BTreeSet<u64>, StreamError> {
        let keys = self.store.list_after(&self.folder(), "")?;
        let number = |key: String| {
            let name = key.rsplit('/').next().and_then(|name| name.strip_suffix(".games"));
            let number = name.and_then(|digits| digits.parse().ok());
            number.filter(|&number| self.key(number) == key).ok_or(StreamError::Key(key))
        };
        keys.into_iter().map(number).collect()
    }

    /// The games of a published shard.
    ///
    /// # Errors
    /// When the store fails, or the shard or one of its games is damaged.
    pub fn read(&self, number: u64) -> Result<Vec<GameRecord>, StreamError> {
        let key = self.key(number);
        let games = read_each(self.store, &key)?.into_iter().collect::<Result<_, _>>();
        games.map_err(|source| StreamError::Game { key, source })
    }

    /// Adds what all published games look like; see [`add_statistics_of`].
    ///
    /// # Errors
    /// When the store fails or a shard is damaged.
    pub fn add_statistics(&self, statistics: &mut Statistics) -> Result<(), StreamError> {
        for number in self.published()? {
            add_statistics_of(self.store, &self.key(number), statistics)?;
        }
        Ok(())
    }
}

/// Adds what the games of the shard at `key` look like. Games that break the rules are counted as such and no more: how
/// many there may be is for those to say who learn from them.
///
/// # Errors
/// When the store fails or the shard is damaged.
pub fn add_statistics_of(
    store: &dyn Store,
    key: &str,
    statistics: &mut Statistics,
) -> Result<(), StreamError> {
    for game in read_each(store, key)? {
        match game {
            Ok(game) => statistics.add(&game),
            Err(_) => statistics.add_bad(),
        }
    }
    Ok(())
}

/// The games of a shard, each by itself.
fn read_each(
    store: &dyn Store,
    key: &str,
) -> Result<Vec<Result<GameRecord, RecordError>>, StreamError> {
    let bytes = store.get(key)?;
    ShardReader::open(&bytes)
        .and_then(|shard| shard.read_all())
        .map_err(|source| StreamError::Shard { key: key.to_owned(), source })
}

impl ShardSink for Stream<'_> {
    fn publish(
        &mut self,
        number: u64,
        games: &[GameRecord],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut shard = ShardWriter::new(self.header.clone())?;
        for game in games {
            shard.push(game)?;
        }
        self.store.put_new(&self.key(number), &shard.finish()?.bytes)?;
        Ok(())
    }
}
