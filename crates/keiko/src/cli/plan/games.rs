//! What a game takes.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::atomic::AtomicBool;

use keiko_inference::{Backend, BackendError, Uniform};
use keiko_replay::{GameRecord, ShardHeader, ShardWriter, UNIFORM};
use keiko_selfplay::{Event, Generation, ShardSink, Sources, Thresholds, generate};
use keiko_store::Sha256;

use crate::config::RunConfig;

/// Games that are played.
const GAMES: u32 = 64;

/// Means over games.
#[derive(Debug)]
pub(super) struct Games {
    pub(super) plies: f64,
    pub(super) evaluations: f64,
    pub(super) bytes: f64,
}

impl Games {
    /// Plays some games by the config's settings, without a net, and weighs them.
    ///
    /// # Errors
    /// Self-play fails.
    pub(super) fn sample(config: &RunConfig) -> anyhow::Result<Self> {
        let encoding = config.network.encoding;
        let mut settings = config.selfplay.clone();
        settings.shard_max_games = GAMES;
        (settings.groups, settings.games_per_group) = (1, GAMES as usize);
        settings.max_ahead_games = GAMES;
        let generation = Generation {
            stream: "plan",
            games: 0..u64::from(GAMES),
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
        let header = ShardHeader {
            stream: generation.stream.to_owned(),
            model: generation.model.to_owned(),
            encoding,
            config: Sha256::of(&[]),
        };
        let mut scale = Scale { header, plies: 0, bytes: 0 };
        let open = |_: usize| -> Result<Box<dyn Backend>, BackendError> {
            Ok(Box::new(Uniform::new(encoding)))
        };
        let mut evaluations = 0;
        let mut observe = |event| {
            if let Event::Progress(progress) = event {
                evaluations = progress.evaluations;
            }
        };
        generate(&generation, &open, &mut scale, &mut observe, &AtomicBool::new(false))?;
        let [plies, evaluations, bytes] =
            [scale.plies as f64, evaluations as f64, scale.bytes as f64]
                .map(|all| all / f64::from(GAMES));
        Ok(Self { plies, evaluations, bytes })
    }
}

/// Weighs shards and throws them away.
struct Scale {
    header: ShardHeader,
    plies: usize,
    bytes: usize,
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
            self.plies += game.plies.len();
        }
        self.bytes += shard.finish()?.bytes.len();
        Ok(())
    }
}
