use keiko_play::{GroupSettings, Resignation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::GateMode;
use crate::openings::OpeningSettings;
use crate::statistics::{SprtSettings, SprtSettingsError};

/// The `[gate]` section of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateSettings {
    /// What self-play uses meanwhile. AlphaGo Zero: strict; KataGo: strict or none.
    pub mode: GateMode,
    /// Simulations a move, at least 1. AlphaGo Zero: 1600.
    pub simulations: u32,
    /// The openings, one for each pair.
    pub openings: OpeningSettings,
    /// The sequential test. AlphaGo Zero: 55 % of 400 games; KataGo: half of 200.
    pub sprt: SprtSettings,
    /// Games in play on each thread, and the batches they make.
    pub group: GroupSettings,
    /// When a side gives up; a threshold of 0 is never. AlphaGo Zero: 5 %, audited.
    pub resignation: Resignation,
}

/// A value that `[gate]` may not hold.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GateSettingsError {
    /// A number is out of range.
    #[error("gate.{field} must be {range}")]
    Range {
        /// The key.
        field: &'static str,
        /// What it may be.
        range: &'static str,
    },
    /// The sequential test cannot be run.
    #[error("gate.sprt: {0}")]
    Sprt(#[from] SprtSettingsError),
}

impl GateSettings {
    /// Checks every number against its range.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), GateSettingsError> {
        let moves = match self.openings {
            OpeningSettings::Random { plies } => (1..=100).contains(&plies),
            OpeningSettings::File { .. } => true,
        };
        let GroupSettings { slots, batch_shape, .. } = self.group;
        let resigns = (0.0..=0.5).contains(&self.resignation.threshold);
        let agrees = (0.0..=1.0).contains(&self.group.jishogi_threshold);
        for (holds, field, range) in [
            (self.simulations > 0, "simulations", "at least 1"),
            (moves, "openings.plies", "from 1 to 100"),
            ((1..=65_536).contains(&slots), "group.slots", "from 1 to 65536"),
            ((16..=65_536).contains(&batch_shape), "group.batch_shape", "from 16 to 65536"),
            (self.sprt.cap_pairs <= 100_000, "sprt.cap_pairs", "at most 100000"),
            (agrees, "group.jishogi_threshold", "from 0 to 1"),
            (resigns, "resignation.threshold", "from 0 to 0.5"),
            (self.resignation.turns > 0, "resignation.turns", "at least 1"),
        ] {
            if !holds {
                return Err(GateSettingsError::Range { field, range });
            }
        }
        Ok(self.sprt.validate()?)
    }
}
