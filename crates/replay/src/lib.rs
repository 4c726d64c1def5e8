//! Game records, the shards that hold them, and the way from shards to training batches.
//!
//! A [`GameRecord`] says everything that was seen while a game was played. Games are written into
//! shards ([`ShardWriter`]), shards enter training through the numbered [`IngestLog`], and the
//! [`Window`] is a function of that log alone: which games are in it depends on no clock and no listing
//! of files. A [`Sampler`] is a function of a seed and a step alone. So a resumed run, on any number of
//! threads, trains on the same [`Batch`]es.
//!
//! Bytes are checked at the border: a shard is under checksums, and each game is replayed through the
//! rules when it is read. Bad games are counted, and too many stop the run. In memory the window keeps
//! moves and targets; planes are made for each batch, as bits.
//!
//! This crate knows nothing of searches, nets or devices.

mod ahead;
mod batch;
pub mod data;
mod exchange;
mod held_out;
mod ingest;
mod policy;
mod record;
mod sampler;
pub mod seed;
mod settings;
mod shard;
mod shares;
mod wdl;
mod window;

pub use ahead::Ahead;
pub use batch::Batch;
pub use held_out::is_held_out;
pub use ingest::{IngestEntry, IngestError, IngestLog, IngestedShard};
pub use policy::{PolicyError, StoredPolicy};
pub use record::{
    GameRecord, MAX_RECORD_BYTES, PlyRecord, RECORD_VERSION, RecordError, ResignAudit, SearchKind,
    StartSource, UNIFORM,
};
pub use sampler::{RowRef, SampleError, Sampler};
pub use settings::{
    DataSettings, FastPlies, SearchValueSettings, Settings, SettingsError, WindowSettings,
};
pub use shard::{
    FinishedShard, MAX_BLOCK_BYTES, MAX_BLOCK_GAMES, SHARD_VERSION, ShardError, ShardHeader,
    ShardReader, ShardSummary, ShardWriter,
};
pub use shares::SharesError;
pub use wdl::{StoredWdl, WdlError};
pub use window::{RowSource, Window, WindowError, left_behind};
