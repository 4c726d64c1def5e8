use keiko_play::Resignation;
use serde::{Deserialize, Serialize};

use super::SettingsError;

/// When a side resigns, and the share of games in which it plays on all the same, so that wrong
/// resignations are counted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignAudit {
    /// Expected score (a draw counted as its worth) below which a position counts as lost, 0 to 0.5;
    /// 0 turns resignation off. AlphaZero and AobaZero: set so that fewer than 5 % of resignations are wrong.
    pub threshold: f32,
    /// Turns of the same side in a row that must count as lost, 1 or more.
    pub turns: u32,
    /// Share of games that are played out, 0 to 1. AlphaZero: 0.1.
    pub played_out_share: f32,
}

impl ResignAudit {
    pub(crate) fn rule(&self) -> Resignation {
        Resignation { threshold: self.threshold, turns: self.turns }
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        if !(0.0..=0.5).contains(&self.threshold) {
            let found = self.threshold.to_string();
            let field = "selfplay.resignation.threshold";
            return Err(SettingsError { field, range: "from 0 to 0.5".to_owned(), found });
        }
        SettingsError::at_least("selfplay.resignation.turns", u64::from(self.turns), 1)?;
        SettingsError::share("selfplay.resignation.played_out_share", self.played_out_share)
    }
}
