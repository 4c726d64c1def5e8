//! Packed games.

use super::bytes::Bytes;
use super::error::ShardError;
use crate::record::MAX_RECORD_BYTES;

/// The most games in a block.
pub const MAX_BLOCK_GAMES: u32 = 64;

/// The most bytes that a block unpacks to: a block is closed once it holds the size of the largest
/// record, so it ends with at most one more.
pub const MAX_BLOCK_BYTES: usize = 2 * MAX_RECORD_BYTES + 8;

/// Bytes of a block before the packed ones.
const HEAD_BYTES: usize = 16;

const ZSTD_LEVEL: i32 = 3;

/// Adds `record` to the raw bytes of a block.
pub(super) fn push_record(raw: &mut Vec<u8>, record: &[u8]) {
    raw.extend_from_slice(&(record.len() as u32).to_le_bytes());
    raw.extend_from_slice(record);
}

/// Packs the raw bytes of `games` records.
pub(super) fn pack(games: u32, raw: &[u8]) -> Result<Vec<u8>, ShardError> {
    let packed = zstd::bulk::compress(raw, ZSTD_LEVEL).map_err(ShardError::Compress)?;
    let mut block = Vec::with_capacity(HEAD_BYTES + packed.len());
    for field in [games, raw.len() as u32, packed.len() as u32] {
        block.extend_from_slice(&field.to_le_bytes());
    }
    let checksum = checksum(&block, &packed);
    block.extend_from_slice(&checksum.to_le_bytes());
    block.extend_from_slice(&packed);
    Ok(block)
}

/// Unpacks the block number `number`, which is all of `block`, and says how many games it names.
pub(super) fn unpack(number: usize, block: &[u8]) -> Result<(u32, Vec<u8>), ShardError> {
    let layout = || ShardError::Layout("block");
    let mut bytes = Bytes::new(block);
    let fields = bytes.take(HEAD_BYTES - 4).ok_or_else(layout)?;
    let expected = bytes.u32().ok_or_else(layout)?;
    let packed = &block[HEAD_BYTES..];
    if checksum(fields, packed) != expected {
        return Err(ShardError::Checksum("block"));
    }
    let mut fields = Bytes::new(fields);
    let mut field = || fields.u32().ok_or_else(layout);
    let (games, raw_len, packed_len) = (field()?, field()? as usize, field()? as usize);
    if packed_len != packed.len() || raw_len > MAX_BLOCK_BYTES {
        return Err(layout());
    }
    match zstd::bulk::decompress(packed, raw_len) {
        Ok(raw) if raw.len() == raw_len => Ok((games, raw)),
        _ => Err(ShardError::Unpack(number)),
    }
}

/// The records in the raw bytes of a block.
pub(super) fn records(raw: &[u8]) -> Result<Vec<&[u8]>, ShardError> {
    let mut bytes = Bytes::new(raw);
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let record = bytes.u32().and_then(|len| bytes.take(len as usize));
        records.push(record.ok_or(ShardError::Layout("record length"))?);
    }
    Ok(records)
}

fn checksum(fields: &[u8], packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(fields);
    hasher.update(packed);
    hasher.finalize()
}
