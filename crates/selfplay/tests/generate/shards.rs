use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use keiko_replay::GameRecord;
use keiko_selfplay::ShardSink;

/// Shards in memory, by number, in the order in which they were published.
#[derive(Default)]
pub(crate) struct Shards {
    pub(crate) shards: BTreeMap<u64, Vec<GameRecord>>,
    pub(crate) order: Vec<u64>,
}

impl Shards {
    pub(crate) fn numbers(&self) -> BTreeSet<u64> {
        self.shards.keys().copied().collect()
    }

    pub(crate) fn games(&self) -> Vec<&GameRecord> {
        self.shards.values().flatten().collect()
    }

    pub(crate) fn bytes(&self) -> Vec<Vec<u8>> {
        let shard = |games: &Vec<GameRecord>| {
            games.iter().flat_map(|game| game.to_bytes().unwrap()).collect()
        };
        self.shards.values().map(shard).collect()
    }
}

impl ShardSink for Shards {
    fn publish(
        &mut self,
        number: u64,
        games: &[GameRecord],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.order.push(number);
        assert!(self.shards.insert(number, games.to_vec()).is_none(), "shard {number} twice");
        Ok(())
    }
}
