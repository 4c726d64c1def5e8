//! What a game takes.

use std::sync::atomic::AtomicBool;

use keiko_inference::{Backend, BackendError, Uniform};

use super::super::weighed;
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
        let mut settings = config.selfplay.clone();
        settings.shard_max_games = GAMES;
        (settings.groups, settings.games_per_group) = (1, GAMES as usize);
        settings.max_ahead_games = GAMES;
        let encoding = config.network.encoding;
        let open = |_: usize| -> Result<Box<dyn Backend>, BackendError> {
            Ok(Box::new(Uniform::new(encoding)))
        };
        let weight =
            weighed::play(config, &settings, u64::from(GAMES), &open, &AtomicBool::new(false))?;
        let [plies, evaluations, bytes] = [weight.plies, weight.evaluations, weight.bytes]
            .map(|all| all as f64 / f64::from(GAMES));
        Ok(Self { plies, evaluations, bytes })
    }
}
