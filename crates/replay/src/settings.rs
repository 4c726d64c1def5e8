//! The section `[replay]` of a run's config.

use keiko_shogi::EndReason;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::IngestedShard;

/// What is trained on, and how often. Every key is given in the config; none has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How far back the window reaches.
    pub window: WindowSettings,
    /// How often a row may be trained on, on average, over the whole run; above 0.
    pub max_uses_per_row: f64,
    /// The most rows of one game in one batch: positions of a game share their outcome; at least 1.
    pub max_rows_per_game: u32,
    /// The share of a game's uses that its rows have by how much their search surprised the net (its policy's KL
    /// divergence from the net's), 0..=0.9; the rest is spread evenly.
    pub surprise_weight: f64,
    /// How much of the value target is the search's value instead of the outcome.
    pub search_value: SearchValueSettings,
    /// End reasons, by name, after which the outcome is no value target (weight 0; the policy stays).
    #[serde(with = "end_names")]
    pub drop_value_of: Vec<EndReason>,
    /// What plies with a small search budget are used for.
    pub fast_plies: FastPlies,
    /// Whether half of the rows, chosen by the seed, are mirrored left to right.
    pub mirror: bool,
    /// One in this many games is held out for measuring and never trained on; 0 for none.
    pub held_out_modulus: u64,
    /// Games of the window that may break the rules before the run stops.
    pub max_bad_games: u64,
    /// How files of games and positions are read, where those are learnt from instead of a window.
    pub data: DataSettings,
}

/// How files of games and positions are read: `[replay.data]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSettings {
    /// Rows that are shuffled together, at least 1. Two such buffers are in memory, about 1 KB a row.
    pub shuffle_rows: u64,
    /// Centipawns of one unit of log-odds in the scores of the files, above 0.
    pub centipawns_per_log_odds: f64,
}

/// Which of the newest rows are in the window; a game is in it whole or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WindowSettings {
    /// The newest `max_rows` rows.
    LastRows {
        /// Rows needed before training starts.
        min_rows: u64,
        /// Rows in the window.
        max_rows: u64,
    },
    /// With N rows made so far and M = `min_rows`: `M + growth (N^e - M^e) / (e M^(e - 1))` rows, at
    /// most `max_rows` (Wu 2019, appendix C). Starts as all rows, grows ever more slowly.
    PowerLaw {
        /// Rows needed before training starts.
        min_rows: u64,
        /// The most rows in the window.
        max_rows: u64,
        /// The exponent e, above 0 and at most 1.
        exponent: f64,
        /// Rows that the window gains with each row at N = M; above 0 and at most 1.
        growth: f64,
    },
}

/// The share λ of the search's value in the value target; 0 until both starts are reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchValueSettings {
    /// λ, 0..=1.
    pub weight: f32,
    /// The first training step with λ.
    pub start_step: u64,
    /// Entries of the ingest log (generations) that must have been read first.
    pub start_entry: u32,
}

/// What plies with a small search budget are used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FastPlies {
    /// Nothing: they are no rows.
    Skip,
    /// They are rows with a value target and a policy weight of 0.
    ValueOnly,
}

/// A value that `[replay]` may not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("replay.{field} must be {range}")]
pub struct SettingsError {
    /// The key.
    pub field: &'static str,
    /// What it may be.
    pub range: &'static str,
}

impl Settings {
    /// Checks that all values are in range.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for the first that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.window.check()?;
        need(self.max_uses_per_row > 0.0, "max_uses_per_row", "above 0")?;
        need(self.max_uses_per_row.is_finite(), "max_uses_per_row", "finite")?;
        need(self.max_rows_per_game > 0, "max_rows_per_game", "at least 1")?;
        let surprise = self.surprise_weight;
        need((0.0..=0.9).contains(&surprise), "surprise_weight", "from 0 to 0.9")?;
        let weight = self.search_value.weight;
        need((0.0..=1.0).contains(&weight), "search_value.weight", "0 to 1")?;
        let DataSettings { shuffle_rows, centipawns_per_log_odds: scale } = self.data;
        need(shuffle_rows > 0, "data.shuffle_rows", "at least 1")?;
        let is_scale = scale > 0.0 && scale.is_finite();
        need(is_scale, "data.centipawns_per_log_odds", "above 0")
    }
}

impl Settings {
    /// Rows that shards make, by their lines in the ingest log.
    #[must_use]
    pub fn rows_of(&self, shards: &[IngestedShard]) -> u64 {
        let rows = |shard: &IngestedShard| match self.fast_plies {
            FastPlies::Skip => shard.full_plies,
            FastPlies::ValueOnly => shard.full_plies + shard.fast_plies,
        };
        shards.iter().map(rows).sum()
    }
}

impl WindowSettings {
    fn check(&self) -> Result<(), SettingsError> {
        let (min_rows, max_rows) = (self.min_rows(), self.max_rows());
        need(min_rows > 0, "window.min_rows", "at least 1")?;
        need(max_rows >= min_rows, "window.max_rows", "at least min_rows")?;
        if let Self::PowerLaw { exponent, growth, .. } = *self {
            need(exponent > 0.0 && exponent <= 1.0, "window.exponent", "above 0 and at most 1")?;
            need(growth > 0.0 && growth <= 1.0, "window.growth", "above 0 and at most 1")?;
        }
        Ok(())
    }

    /// Rows needed before training starts.
    #[must_use]
    pub fn min_rows(&self) -> u64 {
        match *self {
            Self::LastRows { min_rows, .. } | Self::PowerLaw { min_rows, .. } => min_rows,
        }
    }

    fn max_rows(&self) -> u64 {
        match *self {
            Self::LastRows { max_rows, .. } | Self::PowerLaw { max_rows, .. } => max_rows,
        }
    }

    /// Rows in the window when `total` rows have been made.
    #[must_use]
    pub fn rows(&self, total: u64) -> u64 {
        let wanted = match *self {
            Self::LastRows { max_rows, .. } => max_rows,
            Self::PowerLaw { min_rows, .. } if total <= min_rows => min_rows,
            Self::PowerLaw { min_rows, exponent, growth, .. } => {
                let (n, m) = (total as f64, min_rows as f64);
                let gained =
                    (n.powf(exponent) - m.powf(exponent)) / (exponent * m.powf(exponent - 1.0));
                (m + growth * gained) as u64
            }
        };
        wanted.min(self.max_rows()).min(total)
    }
}

impl SearchValueSettings {
    /// λ at training step `step` with a window of `entries` entries of the ingest log.
    #[must_use]
    pub fn at(&self, step: u64, entries: u32) -> f32 {
        let started = step >= self.start_step && entries >= self.start_entry;
        if started { self.weight } else { 0.0 }
    }
}

fn need(holds: bool, field: &'static str, range: &'static str) -> Result<(), SettingsError> {
    if holds { Ok(()) } else { Err(SettingsError { field, range }) }
}

mod end_names {
    use keiko_shogi::EndReason;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        reasons: &[EndReason],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(reasons.iter().map(ToString::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<EndReason>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let parse = |name: String| {
            name.parse().map_err(|_| D::Error::custom(format!("{name:?} is no end reason")))
        };
        names.into_iter().map(parse).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
max_uses_per_row = 4.0
max_rows_per_game = 16
surprise_weight = 0.5
drop_value_of = ["max_plies"]
fast_plies = "skip"
mirror = true
held_out_modulus = 50
max_bad_games = 0

[window]
kind = "power_law"
min_rows = 8000
max_rows = 200000
exponent = 0.65
growth = 0.4

[search_value]
weight = 0.25
start_step = 0
start_entry = 2

[data]
shuffle_rows = 200000
centipawns_per_log_odds = 756.0864962951762
"#;

    #[test]
    fn every_key_is_needed_and_no_other_is_known() {
        let settings: Settings = toml::from_str(TEXT).unwrap();
        settings.check().unwrap();
        assert_eq!(settings.drop_value_of, [EndReason::MaxPlies]);
        assert_eq!(toml::from_str::<Settings>(&toml::to_string(&settings).unwrap()), Ok(settings));
        for line in TEXT.lines().filter(|line| line.contains('=')) {
            let without = TEXT.replace(&format!("{line}\n"), "");
            assert!(toml::from_str::<Settings>(&without).is_err(), "without {line}");
            let misspelt = TEXT.replace(line, &format!("x{line}"));
            assert!(toml::from_str::<Settings>(&misspelt).is_err(), "x{line}");
            let more = TEXT.replace(line, &format!("{line}\nx{line}"));
            assert!(toml::from_str::<Settings>(&more).is_err(), "{line} and x{line}");
        }
        assert!(toml::from_str::<Settings>(&TEXT.replace("max_plies", "boredom")).is_err());
    }

    #[test]
    fn values_out_of_range_are_named() {
        let cases = [
            ("max_uses_per_row = 4.0", "max_uses_per_row = nan", "max_uses_per_row"),
            ("max_uses_per_row = 4.0", "max_uses_per_row = 0.0", "max_uses_per_row"),
            ("max_rows_per_game = 16", "max_rows_per_game = 0", "max_rows_per_game"),
            ("weight = 0.25", "weight = 1.5", "search_value.weight"),
            ("surprise_weight = 0.5", "surprise_weight = 1.0", "surprise_weight"),
            ("max_rows = 200000", "max_rows = 7999", "window.max_rows"),
            ("min_rows = 8000", "min_rows = 0", "window.min_rows"),
            ("exponent = 0.65", "exponent = 0.0", "window.exponent"),
            ("exponent = 0.65", "exponent = 1.1", "window.exponent"),
            ("growth = 0.4", "growth = 0.0", "window.growth"),
            ("growth = 0.4", "growth = 1.1", "window.growth"),
            ("max_uses_per_row = 4.0", "max_uses_per_row = inf", "max_uses_per_row"),
            ("weight = 0.25", "weight = -0.1", "search_value.weight"),
            ("surprise_weight = 0.5", "surprise_weight = -0.1", "surprise_weight"),
            ("odds = 756.0864962951762", "odds = inf", "data.centipawns_per_log_odds"),
            ("shuffle_rows = 200000", "shuffle_rows = 0", "data.shuffle_rows"),
            ("odds = 756.0864962951762", "odds = 0.0", "data.centipawns_per_log_odds"),
        ];
        for (from, to, field) in cases {
            let settings: Settings = toml::from_str(&TEXT.replace(from, to)).unwrap();
            assert_eq!(settings.check().unwrap_err().field, field, "{to}");
        }
        let ends = [
            ("max_rows = 200000", "max_rows = 8000"),
            ("exponent = 0.65", "exponent = 1.0"),
            ("growth = 0.4", "growth = 1.0"),
            ("max_rows_per_game = 16", "max_rows_per_game = 1"),
            ("shuffle_rows = 200000", "shuffle_rows = 1"),
        ];
        for (from, to) in ends {
            let settings: Settings = toml::from_str(&TEXT.replace(from, to)).unwrap();
            assert_eq!(settings.check(), Ok(()), "{to}");
        }
    }

    #[test]
    fn the_window_grows_more_slowly_than_the_data() {
        let window: WindowSettings = toml::from_str::<Settings>(TEXT).unwrap().window;
        assert_eq!(window.rows(100), 100);
        assert_eq!(window.rows(8000), 8000);
        // 8000 + 0.4 * (80000^0.65 - 8000^0.65) / (0.65 * 8000^-0.35)
        assert_eq!(window.rows(80_000), 25_067);
        assert_eq!(window.rows(100_000_000), 200_000);
        let mut first = 0;
        for total in 1..50_000 {
            let now = total - window.rows(total);
            assert!(now >= first, "the oldest row comes back at {total}");
            first = now;
        }
        // What the curve gives below its beginning is less than there is.
        let steep =
            WindowSettings::PowerLaw { min_rows: 100, max_rows: 1000, exponent: 0.5, growth: 1.0 };
        assert_eq!(steep.rows(50), 50);
        let last = WindowSettings::LastRows { min_rows: 10, max_rows: 100 };
        assert_eq!([last.rows(5), last.rows(50), last.rows(500)], [5, 50, 100]);
    }

    #[test]
    fn the_search_value_starts_when_both_starts_are_reached() {
        let settings = SearchValueSettings { weight: 0.25, start_step: 10, start_entry: 2 };
        assert_eq!(settings.at(9, 2).to_bits(), 0);
        assert_eq!(settings.at(10, 1).to_bits(), 0);
        assert_eq!(settings.at(10, 2).to_bits(), 0.25_f32.to_bits());
    }
}
