//! The laws of records, shards, windows and batches, over random games.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod batch;
mod data;
mod exchange;
mod record;
mod shard;
mod support;
mod window;
