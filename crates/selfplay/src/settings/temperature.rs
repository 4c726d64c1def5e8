use serde::{Deserialize, Serialize};

use super::SettingsError;

/// The temperature of the move choice, by ply.
///
/// A move is drawn in proportion to policy^(1/temperature), where policy is what the search found (the
/// improved policy of a Gumbel root, the visit shares of a PUCT root). At temperature 0 the search's best move
/// is played; with a Gumbel root that is already random while there is noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Temperature {
    /// Temperature of the first ply of the game, 0 or more. AlphaZero: 1; KataGo: 0.75.
    pub start: f32,
    /// Temperature from `plies` on, 0 or more. AlphaZero: 0; KataGo: 0.15.
    pub end: f32,
    /// Plies over which the temperature goes in a straight line from `start` to `end`. AlphaZero: 30, in one
    /// step.
    pub plies: u32,
}

impl Temperature {
    /// The temperature of the move that follows `ply` moves.
    #[must_use]
    pub fn at(&self, ply: u32) -> f32 {
        if ply >= self.plies {
            return self.end;
        }
        let passed = ply as f32 / self.plies as f32;
        self.start + (self.end - self.start) * passed
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        SettingsError::temperature("selfplay.temperature.start", self.start)?;
        SettingsError::temperature("selfplay.temperature.end", self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_in_a_straight_line() {
        let temperature = Temperature { start: 1.0, end: 0.5, plies: 10 };
        let at = [0, 5, 10, 300].map(|ply| temperature.at(ply).to_bits());
        assert_eq!(at, [1.0_f32, 0.75, 0.5, 0.5].map(f32::to_bits));
    }

    #[test]
    fn no_plies_mean_the_end_from_the_start() {
        let temperature = Temperature { start: 1.0, end: 0.0, plies: 0 };
        assert_eq!(temperature.at(0).to_bits(), 0.0_f32.to_bits());
    }
}
