//! Making a shard.

use keiko_store::Sha256;

use super::block::{self, MAX_BLOCK_GAMES};
use super::error::ShardError;
use super::header::ShardHeader;
use super::index::{self, BlockEntry, ShardSummary};
use crate::record::{GameRecord, MAX_RECORD_BYTES, SearchKind};

/// Builds a shard in memory, to be published whole. The same games give the same bytes.
#[derive(Debug)]
pub struct ShardWriter {
    header: ShardHeader,
    bytes: Vec<u8>,
    entries: Vec<BlockEntry>,
    open: Option<BlockEntry>,
    raw: Vec<u8>,
    last_index: Option<u64>,
}

/// A shard's bytes and what they hold.
#[derive(Clone, Debug)]
pub struct FinishedShard {
    /// The bytes to publish.
    pub bytes: Vec<u8>,
    /// Their hash.
    pub sha256: Sha256,
    /// What they hold.
    pub summary: ShardSummary,
}

impl ShardWriter {
    /// Starts a shard.
    ///
    /// # Errors
    ///
    /// [`ShardError::Header`] if a name in `header` is empty, too long or not plain.
    pub fn new(header: ShardHeader) -> Result<Self, ShardError> {
        header.check()?;
        Ok(Self {
            bytes: header.to_bytes(),
            header,
            entries: Vec::new(),
            open: None,
            raw: Vec::new(),
            last_index: None,
        })
    }

    /// Adds a game; the games of a shard come in the order of their indices. The caller has validated
    /// it: nothing is replayed here.
    ///
    /// # Errors
    ///
    /// [`ShardError::Foreign`] if stream, encoding or order do not fit, [`ShardError::Record`] if the
    /// game is too large.
    pub fn push(&mut self, game: &GameRecord) -> Result<(), ShardError> {
        let index = game.index;
        if let Some(problem) = foreign(&self.header, game, self.last_index) {
            return Err(ShardError::Foreign { index, problem });
        }
        let record = game.to_bytes().map_err(|source| ShardError::Record { index, source })?;
        block::push_record(&mut self.raw, &record);
        self.last_index = Some(index);
        let entry = self.open.get_or_insert(BlockEntry {
            offset: self.bytes.len() as u64,
            games: 0,
            full_plies: 0,
            fast_plies: 0,
            first_index: index,
            last_index: index,
        });
        entry.games += 1;
        entry.full_plies += game.plies_searched(SearchKind::Full);
        entry.fast_plies += game.plies_searched(SearchKind::Fast);
        entry.last_index = index;
        if entry.games == MAX_BLOCK_GAMES || self.raw.len() >= MAX_RECORD_BYTES {
            self.close_block()?;
        }
        Ok(())
    }

    /// What was pushed so far.
    #[must_use]
    pub fn summary(&self) -> ShardSummary {
        let entries: Vec<_> = self.entries.iter().chain(&self.open).copied().collect();
        index::summary(&entries)
    }

    /// Ends the shard.
    ///
    /// # Errors
    ///
    /// [`ShardError::Empty`] if no game was pushed.
    pub fn finish(mut self) -> Result<FinishedShard, ShardError> {
        self.close_block()?;
        if self.entries.is_empty() {
            return Err(ShardError::Empty);
        }
        self.bytes.extend_from_slice(&index::to_bytes(&self.entries));
        Ok(FinishedShard {
            sha256: Sha256::of(&self.bytes),
            summary: index::summary(&self.entries),
            bytes: self.bytes,
        })
    }

    fn close_block(&mut self) -> Result<(), ShardError> {
        if let Some(entry) = self.open.take() {
            self.bytes.extend_from_slice(&block::pack(entry.games, &self.raw)?);
            self.raw.clear();
            self.entries.push(entry);
        }
        Ok(())
    }
}

/// Why `game` does not belong after the game number `last` of a shard, if it does not.
pub(super) fn foreign(
    header: &ShardHeader,
    game: &GameRecord,
    last: Option<u64>,
) -> Option<&'static str> {
    if game.stream != header.stream {
        Some("it is of another stream")
    } else if game.encoding != header.encoding {
        Some("its models read another encoding")
    } else if last.is_some_and(|last| game.index <= last) {
        Some("its index does not follow the one before")
    } else {
        None
    }
}
