//! The footer: where the blocks are and what they hold.

use super::block::MAX_BLOCK_GAMES;
use super::bytes::Bytes;
use super::error::ShardError;

/// What a shard holds, by its footer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardSummary {
    /// Games in the shard.
    pub games: u32,
    /// Plies that were searched with the full budget.
    pub full_plies: u64,
    /// Plies that were searched with the small budget.
    pub fast_plies: u64,
    /// Index of the first game in its stream.
    pub first_index: u64,
    /// Index of the last game in its stream.
    pub last_index: u64,
}

/// What the footer says about one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockEntry {
    pub(super) offset: u64,
    pub(super) games: u32,
    pub(super) full_plies: u32,
    pub(super) fast_plies: u32,
    pub(super) first_index: u64,
    pub(super) last_index: u64,
}

const MAGIC: &[u8; 8] = b"KEIKOEND";
const ENTRY_BYTES: usize = 36;
const TAIL_BYTES: usize = 16;

/// The bytes of footer and tail.
pub(super) fn to_bytes(entries: &[BlockEntry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * ENTRY_BYTES + TAIL_BYTES);
    for entry in entries {
        bytes.extend_from_slice(&entry.offset.to_le_bytes());
        for count in [entry.games, entry.full_plies, entry.fast_plies] {
            bytes.extend_from_slice(&count.to_le_bytes());
        }
        bytes.extend_from_slice(&entry.first_index.to_le_bytes());
        bytes.extend_from_slice(&entry.last_index.to_le_bytes());
    }
    bytes.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend_from_slice(MAGIC);
    bytes
}

/// Reads the footer of `shard`, whose header ends at `header_end`; also says where the blocks end.
pub(super) fn read(
    shard: &[u8],
    header_end: usize,
) -> Result<(Vec<BlockEntry>, usize), ShardError> {
    let missing = || ShardError::Magic("footer");
    let tail_start = shard.len().checked_sub(TAIL_BYTES).ok_or_else(missing)?;
    let mut tail = Bytes::new(&shard[tail_start..]);
    let (Some(count), Some(checksum), Some(magic)) = (tail.u32(), tail.u32(), tail.array()) else {
        return Err(missing());
    };
    if magic != *MAGIC {
        return Err(missing());
    }
    let footer_bytes = (count as usize).saturating_mul(ENTRY_BYTES);
    let start = tail_start.checked_sub(footer_bytes).filter(|&start| start >= header_end);
    let start = start.ok_or(ShardError::Layout("number of blocks"))?;
    if crc32fast::hash(&shard[start..tail_start + 4]) != checksum {
        return Err(ShardError::Checksum("footer"));
    }
    if count == 0 {
        return Err(ShardError::Empty);
    }
    let mut bytes = Bytes::new(&shard[start..tail_start]);
    let entries: Vec<_> = std::iter::from_fn(|| read_entry(&mut bytes)).collect();
    check(&entries, header_end, start)?;
    Ok((entries, start))
}

fn read_entry(bytes: &mut Bytes<'_>) -> Option<BlockEntry> {
    Some(BlockEntry {
        offset: bytes.u64()?,
        games: bytes.u32()?,
        full_plies: bytes.u32()?,
        fast_plies: bytes.u32()?,
        first_index: bytes.u64()?,
        last_index: bytes.u64()?,
    })
}

/// Blocks follow each other from `start` on without a hole, and so do their indices upwards.
fn check(entries: &[BlockEntry], start: usize, end: usize) -> Result<(), ShardError> {
    let layout = ShardError::Layout("footer");
    if entries.first().map(|first| first.offset) != Some(start as u64) {
        return Err(layout);
    }
    let whole = entries.iter().all(|entry| {
        (1..=MAX_BLOCK_GAMES).contains(&entry.games)
            && entry.first_index <= entry.last_index
            && entry.offset < end as u64
    });
    let ordered = entries
        .windows(2)
        .all(|two| two[0].offset < two[1].offset && two[0].last_index < two[1].first_index);
    if whole && ordered { Ok(()) } else { Err(layout) }
}

pub(super) fn summary(entries: &[BlockEntry]) -> ShardSummary {
    let mut summary = ShardSummary {
        games: 0,
        full_plies: 0,
        fast_plies: 0,
        first_index: entries.first().map_or(0, |entry| entry.first_index),
        last_index: entries.last().map_or(0, |entry| entry.last_index),
    };
    for entry in entries {
        summary.games = summary.games.saturating_add(entry.games);
        summary.full_plies += u64::from(entry.full_plies);
        summary.fast_plies += u64::from(entry.fast_plies);
    }
    summary
}
