use serde::{Deserialize, Serialize};

use super::SettingsError;

/// Progressive simulation (MiniZero): the first generations know little, so they search little; full searches grow
/// with the generations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// Simulations of a full search at the end, 1 or more. MiniZero: 200, from 2.
    pub simulations: u32,
    /// Generations over which they go in a straight line from `selfplay.simulations` to these; 0 = they do not.
    pub generations: u32,
}

impl Growth {
    /// Every generation searches alike.
    pub const NONE: Self = Self { simulations: 1, generations: 0 };

    /// Simulations of a full search in a generation, counted from 0, that began with `first`.
    #[must_use]
    pub fn at(&self, first: u32, generation: u32) -> u32 {
        if self.generations == 0 {
            return first;
        }
        let passed = i64::from(generation.min(self.generations));
        let way = i64::from(self.simulations) - i64::from(first);
        (i64::from(first) + way * passed / i64::from(self.generations)) as u32
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let simulations = u64::from(self.simulations);
        SettingsError::at_least("selfplay.growth.simulations", simulations, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_in_a_straight_line_and_stays_there() {
        let growth = Growth { simulations: 64, generations: 6 };
        let at = [0, 1, 3, 5, 6, 7, u32::MAX].map(|generation| growth.at(16, generation));
        assert_eq!(at, [16, 24, 40, 56, 64, 64, 64]);
        let shrinking = Growth { simulations: 1, generations: 4 };
        assert_eq!([0, 1, 2, 3, 4].map(|generation| shrinking.at(u32::MAX, generation))[4], 1);
    }

    #[test]
    fn no_generations_mean_no_growth() {
        assert_eq!([0, 1, 1000].map(|generation| Growth::NONE.at(16, generation)), [16; 3]);
    }
}
