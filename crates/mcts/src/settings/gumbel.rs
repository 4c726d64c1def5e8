use serde::{Deserialize, Serialize};

use super::{Rescale, SettingsError};

/// The `[search.gumbel]` table: the root of Danihelka et al. 2022, "Policy improvement by planning
/// with Gumbel".
///
/// sigma(q) = (`c_visit` + most visits of a move) * `c_scale` * q, with q a score from 0 to 1. For
/// values from -1 to 1, as mctx takes them without rescaling, the same sigma needs half the
/// `c_scale`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GumbelSettings {
    /// Moves that sequential halving starts with, 1 or more; fewer if fewer are legal. mctx: 16.
    pub max_considered: u32,
    /// Visits added to the most visited move's in sigma, 0 or more. mctx: 50.
    pub c_visit: f32,
    /// Factor of sigma, above 0. The paper's board games and nshogi: 1.0; mctx: 0.1 with min_max.
    pub c_scale: f32,
    /// Factor of the Gumbel noise, 0 or more: 1 samples moves from the policy, 0 takes the best.
    /// mctx: 1 in self-play, 0 in evaluation; a search without noise uses 0 whatever this is.
    pub scale: f32,
    /// How completed Q-values enter sigma. mctx: min_max; nshogi: none.
    pub rescale: Rescale,
}

impl GumbelSettings {
    /// The paper's settings of board games.
    pub const PAPER: Self = Self {
        max_considered: 16,
        c_visit: 50.0,
        c_scale: 1.0,
        scale: 1.0,
        rescale: Rescale::None,
    };

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        if self.max_considered == 0 {
            let field = "search.gumbel.max_considered";
            return Err(SettingsError { field, range: "1 or more" });
        }
        let require = SettingsError::require;
        require(self.c_visit >= 0.0, self.c_visit, "search.gumbel.c_visit", "0 or more")?;
        require(self.c_scale > 0.0, self.c_scale, "search.gumbel.c_scale", "above 0")?;
        require(self.scale >= 0.0, self.scale, "search.gumbel.scale", "0 or more")
    }
}
