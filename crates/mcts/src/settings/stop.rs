use serde::{Deserialize, Serialize};

use super::SettingsError;

/// The `[search.stop]` table: when a search with a PUCT root ends before its simulations are used up. A Gumbel
/// root plans its visits, so it always makes them all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSettings {
    /// Whether a search ends as soon as no other move can become the most visited one with the simulations
    /// that are left. The move to play stays the same, unless these would have proven a result; the policy
    /// does not, so self-play leaves this out. dlshogi, lc0 and KataGo in matches: yes.
    pub decided: bool,
    /// A search ends when the last `kld_interval_visits` visits changed the root's shares of visits by less
    /// than this for each visit: the Kullback-Leibler divergence of the shares before from those after, in
    /// nats, 0 or more; 0 = never. lc0's self-play: 0.000005; AobaZero: 0.0000004.
    pub min_kld_gain: f32,
    /// Visits from one look at the shares to the next, 1 or more. lc0: 100; AobaZero: 400.
    pub kld_interval_visits: u32,
}

impl StopSettings {
    /// Every search makes all its simulations.
    pub const NEVER: Self = Self { decided: false, min_kld_gain: 0.0, kld_interval_visits: 100 };

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let gain = self.min_kld_gain;
        SettingsError::require(gain >= 0.0, gain, "search.stop.min_kld_gain", "0 or more")?;
        if self.kld_interval_visits == 0 {
            let field = "search.stop.kld_interval_visits";
            return Err(SettingsError { field, range: "1 or more" });
        }
        Ok(())
    }
}
