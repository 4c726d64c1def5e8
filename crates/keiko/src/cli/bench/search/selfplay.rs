//! Self-play as the demonstration plays it, whose games are thrown away.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use keiko_inference::{Backend, BackendError};
use keiko_replay::{GameRecord, ShardHeader, ShardWriter, UNIFORM};
use keiko_selfplay::{Generation, Settings, ShardSink, Sources, Thresholds, generate};
use keiko_store::Sha256;

use super::super::net::{Net, demo};
use super::metered::{Meter, Metered};

/// Evaluations a CPU second of self-play on one thread, as a share of the backend's own.
pub(super) fn over_raw(net: &Net) -> anyhow::Result<f64> {
    let torch = net.torch()?;
    let meter = Meter::default();
    let rows = demo()?.selfplay.batch_shape;
    let open = |_: usize| -> Result<Box<dyn Backend>, BackendError> {
        let metered = Metered::new(torch.open()?, meter.clone(), rows, net.selfplay_batches);
        Ok(Box::new(metered))
    };
    play(1, &open, &meter.is_done)?;
    meter.share().context("self-play ended before it was measured")
}

/// Plays with so many workers, a group of games each, until it is told to stop.
pub(super) fn play(
    workers: usize,
    backend: &(dyn Fn(usize) -> Result<Box<dyn Backend>, BackendError> + Sync),
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let config = demo()?;
    let settings = Settings { workers, groups: workers, ..config.selfplay };
    let generation = Generation {
        stream: "bench",
        games: 0..1 << 40,
        allowance: None,
        run_seed: config.seed,
        model: UNIFORM,
        rules: config.rules.rules(),
        draw_values: config.rules.draw_values(),
        settings: &settings,
        search: &config.search,
        sources: &Sources::default(),
        thresholds: Thresholds::NEVER,
        published: &BTreeSet::new(),
    };
    let mut nowhere = Nowhere(ShardHeader {
        stream: generation.stream.to_owned(),
        model: generation.model.to_owned(),
        encoding: config.network.encoding,
        config: Sha256::of(&[]),
    });
    generate(&generation, backend, &mut nowhere, &mut |_| (), stop)?;
    Ok(())
}

/// Writes shards and throws them away.
struct Nowhere(ShardHeader);

impl ShardSink for Nowhere {
    fn publish(
        &mut self,
        _: u64,
        games: &[GameRecord],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut shard = ShardWriter::new(self.0.clone())?;
        for game in games {
            shard.push(game)?;
        }
        shard.finish()?;
        Ok(())
    }
}
