//! Reading a shard.

use rayon::prelude::*;

use super::block;
use super::error::ShardError;
use super::header::ShardHeader;
use super::index::{self, BlockEntry, ShardSummary};
use super::writer::foreign;
use crate::record::{GameRecord, RecordError, SearchKind};

/// A shard whose header and footer are whole.
#[derive(Debug)]
pub struct ShardReader<'b> {
    bytes: &'b [u8],
    header: ShardHeader,
    entries: Vec<BlockEntry>,
    blocks_end: usize,
}

impl<'b> ShardReader<'b> {
    /// Reads header and footer of the shard that `bytes` are.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of a whole shard of a known version.
    pub fn open(bytes: &'b [u8]) -> Result<Self, ShardError> {
        let (header, header_end) = ShardHeader::read(bytes)?;
        let (entries, blocks_end) = index::read(bytes, header_end)?;
        Ok(Self { bytes, header, entries, blocks_end })
    }

    /// What all games have in common.
    #[must_use]
    pub fn header(&self) -> &ShardHeader {
        &self.header
    }

    /// What the shard holds.
    #[must_use]
    pub fn summary(&self) -> ShardSummary {
        index::summary(&self.entries)
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.entries.len()
    }

    /// The games of a block in order, each replayed through the rules: a game that does not hold stands
    /// there as its error, for the caller to count.
    ///
    /// # Errors
    ///
    /// If the block is damaged, or what it holds is not what the footer says.
    pub fn read_block(
        &self,
        number: usize,
    ) -> Result<Vec<Result<GameRecord, RecordError>>, ShardError> {
        let entry = self.entries.get(number).ok_or(ShardError::NoBlock(number))?;
        let end = self.entries.get(number + 1).map_or(self.blocks_end, |next| next.offset as usize);
        // The footer's check put offsets in order and below the end of the blocks.
        let (games, raw) = block::unpack(number, &self.bytes[entry.offset as usize..end])?;
        let records = block::records(&raw)?;
        if games != entry.games || records.len() != games as usize {
            return Err(ShardError::Layout("number of games"));
        }
        let games: Vec<_> = records.par_iter().map(|record| read_record(record)).collect();
        self.check_block(entry, &games)?;
        Ok(games)
    }

    /// The games of all blocks in order, as [`read_block`](Self::read_block) gives them.
    ///
    /// # Errors
    ///
    /// As for [`read_block`](Self::read_block).
    pub fn read_all(&self) -> Result<Vec<Result<GameRecord, RecordError>>, ShardError> {
        let mut games = Vec::new();
        for number in 0..self.blocks() {
            games.extend(self.read_block(number)?);
        }
        Ok(games)
    }

    fn check_block(
        &self,
        entry: &BlockEntry,
        games: &[Result<GameRecord, RecordError>],
    ) -> Result<(), ShardError> {
        let good: Vec<_> = games.iter().flatten().collect();
        let mut last = None;
        for game in &good {
            let index = game.index;
            if let Some(problem) = foreign(&self.header, game, last) {
                return Err(ShardError::Foreign { index, problem });
            }
            if !(entry.first_index..=entry.last_index).contains(&index) {
                return Err(ShardError::Layout("range of indices"));
            }
            last = Some(index);
        }
        let count = |kind| good.iter().map(|game| game.plies_searched(kind)).sum::<u32>();
        let counted = (count(SearchKind::Full), count(SearchKind::Fast));
        if good.len() == games.len() && counted != (entry.full_plies, entry.fast_plies) {
            return Err(ShardError::Layout("number of plies"));
        }
        Ok(())
    }
}

fn read_record(bytes: &[u8]) -> Result<GameRecord, RecordError> {
    let game = GameRecord::from_bytes(bytes)?;
    game.validate()?;
    Ok(game)
}
