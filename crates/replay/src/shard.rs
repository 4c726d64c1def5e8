//! Files of game records.
//!
//! All integers are little-endian.
//!
//! ```text
//! header  "KEIKOGMS"  version u16  payload length u16  payload  CRC32 of all before
//!         payload: stream, model, encoding (each u8 length + bytes), SHA-256 of the config (32 bytes)
//! block   games u32  raw length u32  packed length u32  CRC32 of these 12 bytes and the packed ones
//!         packed bytes: one zstd frame of [record length u32, record] of each game, at most 64 games
//! footer  per block: offset u64, games u32, full plies u32, fast plies u32, first index u64, last u64
//! tail    number of blocks u32  CRC32 of footer and number  "KEIKOEND"
//! ```
//!
//! Every byte is under a checksum or is fixed. The decoder trusts no length: it allocates no more than
//! the constants here allow, and never panics.

mod block;
mod bytes;
mod error;
mod header;
mod index;
mod reader;
mod writer;

pub use block::{MAX_BLOCK_BYTES, MAX_BLOCK_GAMES};
pub use error::ShardError;
pub use header::{SHARD_VERSION, ShardHeader};
pub use index::ShardSummary;
pub use reader::ShardReader;
pub use writer::{FinishedShard, ShardWriter};
