use serde::{Deserialize, Serialize};

use super::SettingsError;

/// What a sennichite is worth where, as in professional play, the game is played again with sides reversed: to Black what
/// White's side scores. It follows Black's score in the newest decided games, by one value for each stream.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayedDraws {
    /// Decided games that are looked at, the newest ones; 0 leaves sennichite the fixed value of the rules.
    pub games: u32,
    /// Fewer of them leave the fixed value too; 1 or more.
    pub min_games: u32,
    /// The most that the value may be off one half, 0 to 0.5.
    pub max_off: f32,
}

impl ReplayedDraws {
    /// The fixed value.
    pub const FIXED: Self = Self { games: 0, min_games: 1, max_off: 0.0 };

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let least = u64::from(self.min_games);
        SettingsError::at_least("selfplay.replayed_draws.min_games", least, 1)?;
        if self.games > 0 {
            let (least, games) = (u64::from(self.min_games), u64::from(self.games));
            SettingsError::at_least("selfplay.replayed_draws.games", games, least)?;
        }
        if (0.0..=0.5).contains(&self.max_off) {
            return Ok(());
        }
        let (range, found) = ("from 0 to 0.5".to_owned(), self.max_off.to_string());
        Err(SettingsError { field: "selfplay.replayed_draws.max_off", range, found })
    }

    /// What a sennichite is worth to Black after so many decided games, of which Black won `black`; none where there are too
    /// few.
    pub(crate) fn sennichite(&self, black: u32, decided: u32) -> Option<f32> {
        if self.games == 0 || decided < self.min_games {
            return None;
        }
        let score = f64::from(black) / f64::from(decided);
        let off = f64::from(self.max_off);
        Some((1.0 - score.clamp(0.5 - off, 0.5 + off)) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_worth_what_black_does_not_score() {
        let settings = ReplayedDraws { games: 100, min_games: 10, max_off: 0.1 };
        let value = |black, decided| settings.sennichite(black, decided);
        assert_eq!(value(5, 9), None);
        assert_eq!(value(11, 20), Some(0.45));
        assert_eq!(value(9, 20), Some(0.55));
        assert_eq!([value(20, 20), value(0, 20)], [Some(0.4), Some(0.6)]);
        assert_eq!(ReplayedDraws { games: 0, ..settings }.sennichite(11, 20), None);
    }
}
