//! Self-play without a run, whose games are weighed and thrown away.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::atomic::AtomicBool;

use keiko_inference::{Backend, BackendError};
use keiko_replay::{GameRecord, ShardHeader, ShardWriter, UNIFORM};
use keiko_selfplay::{Event, Generation, Settings, ShardSink, Sources, Thresholds, generate};
use keiko_store::Sha256;

use crate::config::RunConfig;

/// What games weighed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    pub(super) plies: u64,
    /// Of their shards.
    pub(super) bytes: u64,
    pub(super) evaluations: u64,
}

/// Plays so many games by a config's rules and search and by `settings`, with a backend for each worker, or fewer where
/// `stop` is set.
///
/// # Errors
/// Self-play fails.
pub(super) fn play(
    config: &RunConfig,
    settings: &Settings,
    games: u64,
    backend: &(dyn Fn(usize) -> Result<Box<dyn Backend>, BackendError> + Sync),
    stop: &AtomicBool,
) -> anyhow::Result<Weight> {
    let generation = Generation {
        stream: "weighed",
        games: 0..games,
        allowance: None,
        run_seed: config.seed,
        model: UNIFORM,
        rules: config.rules.rules(),
        draw_values: config.rules.draw_values(),
        settings,
        search: &config.search,
        sources: &Sources::default(),
        thresholds: Thresholds::NEVER,
        published: &BTreeSet::new(),
    };
    let header = ShardHeader {
        stream: generation.stream.to_owned(),
        model: generation.model.to_owned(),
        encoding: config.network.encoding,
        config: Sha256::of(&[]),
    };
    let mut scale = Scale { header, weight: Weight::default() };
    let mut evaluations = 0;
    let mut observe = |event| {
        if let Event::Progress(progress) = event {
            evaluations = progress.evaluations;
        }
    };
    generate(&generation, backend, &mut scale, &mut observe, stop)?;
    Ok(Weight { evaluations, ..scale.weight })
}

struct Scale {
    header: ShardHeader,
    weight: Weight,
}

impl ShardSink for Scale {
    fn publish(
        &mut self,
        _: u64,
        games: &[GameRecord],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut shard = ShardWriter::new(self.header.clone())?;
        for game in games {
            shard.push(game)?;
            self.weight.plies += game.plies.len() as u64;
        }
        self.weight.bytes += shard.finish()?.bytes.len() as u64;
        Ok(())
    }
}
