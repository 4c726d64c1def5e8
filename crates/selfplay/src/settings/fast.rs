use serde::{Deserialize, Serialize};

use super::SettingsError;

/// Playout cap randomisation (KataGo): some positions are searched cheaply, to get to the end of the game
/// sooner. They have no noise and their policy is not learnt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FastSearch {
    /// Probability that a search is a fast one, 0 to 1; 0 turns it off. KataGo: 0.75; AlphaZero: 0.
    pub probability: f32,
    /// Simulations of a fast search, 1 or more. KataGo: 100 beside 600.
    pub simulations: u32,
}

impl FastSearch {
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        SettingsError::share("selfplay.fast.probability", self.probability)?;
        let simulations = u64::from(self.simulations);
        SettingsError::at_least("selfplay.fast.simulations", simulations, 1)
    }
}
