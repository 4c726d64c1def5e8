use serde::{Deserialize, Serialize};

use super::SettingsError;

/// The `[search.puct]` table.
///
/// A move's worth is Q + c * P * sqrt(N) / (1 + n), with Q its score from 0 to 1, P its prior, n its
/// visits, N the visits of its node and c = `c_init` + ln((N + `c_base` + 1) / `c_base`). An
/// unvisited move takes for Q the node's own mean score less the reduction times
/// sqrt(prior of the visited moves), at least 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuctSettings {
    /// Exploration below the root, above 0. AlphaZero: 1.25; dlshogi: 1.49; KataGo: about 1.1.
    pub c_init: f32,
    /// Visits over which exploration below the root grows, above 0. AlphaZero: 19652.
    pub c_base: f32,
    /// Reduction of an unvisited move's score below the root, 0 to 1. KataGo: 0.2; AlphaZero:
    /// an unvisited move counts as a loss.
    pub fpu_reduction: f32,
    /// Exploration at a PUCT root, above 0. AlphaZero: 1.25.
    pub root_c_init: f32,
    /// Visits over which exploration at a PUCT root grows, above 0. AlphaZero: 19652.
    pub root_c_base: f32,
    /// Reduction of an unvisited move's score at a PUCT root, 0 to 1. KataGo: 0.
    pub root_fpu_reduction: f32,
    /// Concentration of the Dirichlet noise for each legal move, above 0. AlphaZero's shogi: 0.15;
    /// KataGo: 10.83 spread over the legal moves.
    pub dirichlet_alpha: f32,
    /// Share of the Dirichlet noise in the root's priors, 0 to 1. AlphaZero and KataGo: 0.25.
    pub dirichlet_fraction: f32,
    /// Temperature of the policy at a PUCT root, above 0: above 1 flattens it. AlphaZero: 1;
    /// KataGo: 1.25 falling to 1.1.
    pub policy_temperature: f32,
    /// Forced playouts at a PUCT root with noise (Wu 2019, section 3.2), 0 or more; 0 = none: a visited move
    /// has sqrt(`forced_playouts` * P * N) visits at least. The policy to learn is then that of the visits
    /// less the forced ones that PUCT itself would not have made. KataGo: 2; AlphaZero and lc0: none.
    pub forced_playouts: f32,
    /// How many standard errors below its mean a move of a PUCT root is valued when the move to play is chosen
    /// (lower confidence bound), 0 or more; 0 = the most visited move is played. Only moves with 15 % of the
    /// most visits come into question. KataGo: 5; AlphaZero: the most visited move.
    pub lcb_stdevs: f32,
}

impl PuctSettings {
    /// AlphaZero's constants for shogi, and KataGo's reduction of unvisited moves.
    pub const USUAL: Self = Self {
        c_init: 1.25,
        c_base: 19652.0,
        fpu_reduction: 0.2,
        root_c_init: 1.25,
        root_c_base: 19652.0,
        root_fpu_reduction: 0.0,
        dirichlet_alpha: 0.15,
        dirichlet_fraction: 0.25,
        policy_temperature: 1.0,
        forced_playouts: 0.0,
        lcb_stdevs: 0.0,
    };

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let positive = [
            (self.c_init, "search.puct.c_init"),
            (self.c_base, "search.puct.c_base"),
            (self.root_c_init, "search.puct.root_c_init"),
            (self.root_c_base, "search.puct.root_c_base"),
            (self.dirichlet_alpha, "search.puct.dirichlet_alpha"),
            (self.policy_temperature, "search.puct.policy_temperature"),
        ];
        for (value, field) in positive {
            SettingsError::require(value > 0.0, value, field, "above 0")?;
        }
        let not_negative = [
            (self.forced_playouts, "search.puct.forced_playouts"),
            (self.lcb_stdevs, "search.puct.lcb_stdevs"),
        ];
        for (value, field) in not_negative {
            SettingsError::require(value >= 0.0, value, field, "0 or more")?;
        }
        let fractions = [
            (self.fpu_reduction, "search.puct.fpu_reduction"),
            (self.root_fpu_reduction, "search.puct.root_fpu_reduction"),
            (self.dirichlet_fraction, "search.puct.dirichlet_fraction"),
        ];
        for (value, field) in fractions {
            let allowed = (0.0..=1.0).contains(&value);
            SettingsError::require(allowed, value, field, "from 0 to 1")?;
        }
        Ok(())
    }
}
