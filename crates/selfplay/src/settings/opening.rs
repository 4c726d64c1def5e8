use serde::{Deserialize, Serialize};

use super::SettingsError;

/// Random moves at the start of every game but those from before an end, so that games differ. They are not learnt
/// from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Each game begins with a random number of random plies, 0 to this many, all equally likely.
    /// AlphaZero: 0; KataGo: about 4 % of the board's area on average, by policy.
    pub max_plies: u32,
    /// What the random moves are drawn from.
    pub choice: OpeningChoice,
    /// Temperature of the draw from the policy, above 0; of no meaning for `uniform`. KataGo: 1.
    pub temperature: f32,
}

/// What random opening moves are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningChoice {
    /// All legal moves, equally likely.
    Uniform,
    /// The network's policy for the position, without search.
    Policy,
}

impl Opening {
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        if self.temperature > 0.0 && self.temperature.is_finite() {
            return Ok(());
        }
        let field = "selfplay.opening.temperature";
        let found = self.temperature.to_string();
        Err(SettingsError { field, range: "above 0".to_owned(), found })
    }
}
