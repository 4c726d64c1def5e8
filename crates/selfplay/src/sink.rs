use std::error::Error;

use keiko_replay::GameRecord;

/// Where finished shards go.
pub trait ShardSink {
    /// Publishes shard `number` of the stream: all its games, in the order of their indices.
    ///
    /// # Errors
    /// When the shard cannot be stored; the generation then ends.
    fn publish(
        &mut self,
        number: u64,
        games: &[GameRecord],
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}
