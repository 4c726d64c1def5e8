use serde::{Deserialize, Serialize};

use super::SettingsError;

/// When a side resigns, and the share of games in which it plays on all the same, so that wrong
/// resignations are counted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignAudit {
    /// Expected score (a draw counted as one half) below which a position counts as lost, 0 to 0.5;
    /// 0 turns resignation off. With `adapt` the highest one that may be set.
    pub threshold: f32,
    /// Turns of the same side in a row that must count as lost, 1 or more.
    pub turns: u32,
    /// Share of games that are played out, 0 to 1; above 0 with `adapt`. AlphaZero: 0.1.
    pub played_out_share: f32,
    /// Whether the thresholds of a generation, one for each class of games, follow from the games before that were
    /// played out; see [`Thresholds::next`](crate::Thresholds::next). Otherwise all are `threshold`.
    pub adapt: bool,
    /// Share of the resignations in a class that may be wrong, above 0 and below 1. AlphaZero: 0.05.
    pub target_wrong: f32,
    /// Games that were played out and would have been resigned in a class before anybody resigns there, 1 or
    /// more. It takes 59 to show that less than 5 % are wrong, if none is.
    pub min_audited: u32,
    /// The newest games that were played out which the thresholds follow from, 1 or more.
    pub audited_games: u32,
    /// Most that a threshold rises from a generation to the next, above 0 and at most 0.5; it falls at once.
    pub step: f32,
}

impl ResignAudit {
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let within = |field, found: f32, range: &str, holds: bool| {
            let error =
                || SettingsError { field, range: range.to_owned(), found: found.to_string() };
            if holds { Ok(()) } else { Err(error()) }
        };
        let Self { threshold, played_out_share, target_wrong, step, .. } = *self;
        let holds = (0.0..=0.5).contains(&threshold);
        within("selfplay.resignation.threshold", threshold, "from 0 to 0.5", holds)?;
        SettingsError::at_least("selfplay.resignation.turns", u64::from(self.turns), 1)?;
        SettingsError::share("selfplay.resignation.played_out_share", played_out_share)?;
        let holds = !self.adapt || played_out_share > 0.0;
        let field = "selfplay.resignation.played_out_share";
        within(field, played_out_share, "above 0 where selfplay.resignation.adapt is true", holds)?;
        let holds = target_wrong > 0.0 && target_wrong < 1.0;
        let field = "selfplay.resignation.target_wrong";
        within(field, target_wrong, "above 0 and below 1", holds)?;
        let min_audited = u64::from(self.min_audited);
        SettingsError::at_least("selfplay.resignation.min_audited", min_audited, 1)?;
        let games = u64::from(self.audited_games);
        SettingsError::at_least("selfplay.resignation.audited_games", games, min_audited)?;
        let holds = step > 0.0 && step <= 0.5;
        within("selfplay.resignation.step", step, "above 0 and at most 0.5", holds)
    }
}
