use keiko_play::{GroupSettings, Resignation};
use serde::{Deserialize, Serialize};

use super::GateMode;
use crate::openings::OpeningSettings;
use crate::statistics::SprtSettings;

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
