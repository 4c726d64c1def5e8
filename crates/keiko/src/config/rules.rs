//! The `[rules]` section.

use keiko_shogi::{DrawValues, Rules};
use serde::{Deserialize, Serialize};

/// The rules of a run's games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesSection {
    /// Name of the impasse rule.
    pub(crate) impasse: String,
    /// `manual` or `automatic`.
    pub(crate) declaration: String,
    /// The game is a draw after so many plies; 0 for no limit.
    pub(crate) max_plies: u16,
    /// What draws are worth to Black.
    pub(crate) draw_values: DrawValuesSection,
}

/// What draws are worth to Black, 0 to 1, by reason; to White one minus it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DrawValuesSection {
    /// Fourfold repetition.
    pub(crate) sennichite: f32,
    /// Impasse.
    pub(crate) jishogi: f32,
    /// The maximum of plies.
    pub(crate) max_plies: f32,
}

impl RulesSection {
    pub(super) fn check(&self) -> Result<(), String> {
        self.impasse
            .parse::<keiko_shogi::ImpasseRule>()
            .map_err(|e| format!("rules.impasse: {e}"))?;
        self.declaration
            .parse::<keiko_shogi::Declaration>()
            .map_err(|e| format!("rules.declaration: {e}"))?;
        let DrawValuesSection { sennichite, jishogi, max_plies } = self.draw_values;
        for (name, value) in
            [("sennichite", sennichite), ("jishogi", jishogi), ("max_plies", max_plies)]
        {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("rules.draw_values.{name} must be from 0 to 1, not {value}"));
            }
        }
        Ok(())
    }

    /// The rules in force.
    ///
    /// # Panics
    /// If the section was not checked.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            impasse: self.impasse.parse().expect("the section is checked"),
            declaration: self.declaration.parse().expect("the section is checked"),
            max_plies: (self.max_plies > 0).then_some(self.max_plies),
            handicap: None,
        }
    }

    /// What draws are worth.
    pub(crate) fn draw_values(&self) -> DrawValues {
        let DrawValuesSection { sennichite, jishogi, max_plies } = self.draw_values;
        DrawValues { sennichite, jishogi, max_plies }
    }
}
