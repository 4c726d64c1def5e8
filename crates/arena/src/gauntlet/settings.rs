use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::referee::Adjudication;
use crate::statistics::{EloScale, SprtSettings, SprtSettingsError};

pub use engine::{EngineKind, EngineSettings, OptionValue};
pub use schedule::{NamedReplayTime, ReplayDraws, ReplayTime, ScheduleKind, ScheduleSettings};

mod engine;
mod schedule;

/// A sequential test that ends an event of two engines; of the first over the second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GauntletSprt {
    /// What `elo0` and `elo1` are measured in.
    pub scale: EloScale,
    /// Elo of "not better".
    pub elo0: f64,
    /// Elo of "better".
    pub elo1: f64,
    /// Probability of "better" where it is not.
    pub alpha: f64,
    /// Probability of "not better" where it is.
    pub beta: f64,
    /// Pairs of games before which the test does not end.
    pub min_pairs: u32,
}

/// Everything that says what an event's games are, but for rules and searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GauntletSettings {
    /// The engines, at least two.
    pub engine: Vec<EngineSettings>,
    /// How the event is played.
    pub schedule: ScheduleSettings,
    /// When both engines' scores end a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// The test that ends the event early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<GauntletSprt>,
}

/// Why settings of an event cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GauntletSettingsError {
    /// A value is out of range.
    #[error("{field} must be {range}")]
    Range {
        /// The key.
        field: String,
        /// What it may be.
        range: &'static str,
    },
    /// An engine is not well described.
    #[error("engine {name:?}: {what}")]
    Engine {
        /// Its name.
        name: String,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A challenger is no engine of the event.
    #[error("schedule.challengers: {0:?} is none of the engines")]
    Challenger(String),
    /// The sequential test cannot be run.
    #[error("sprt: {0}")]
    Sprt(#[from] SprtSettingsError),
    /// There is more than one pairing to test.
    #[error("sprt: a sequential test is of two engines, not of {0}")]
    SprtEngines(usize),
}

impl GauntletSprt {
    /// The test's settings for an event of so many pairs.
    pub fn settings(&self, pairs: u32) -> SprtSettings {
        let GauntletSprt { elo0, elo1, alpha, beta, min_pairs, .. } = *self;
        let min_pairs = min_pairs.min(pairs);
        SprtSettings { elo0, elo1, alpha, beta, min_pairs, cap_pairs: pairs }
    }
}

impl GauntletSettings {
    /// Checks everything that can be checked without files.
    ///
    /// # Errors
    /// Names the first engine or key that is wrong.
    pub fn validate(&self) -> Result<(), GauntletSettingsError> {
        let agrees = self.adjudication.is_none_or(|it| it.score_cp > 0 && it.moves > 0);
        check(&[
            ((2..=200).contains(&self.engine.len()), "engine", "given 2 to 200 times"),
            (agrees, "adjudication.score_cp and adjudication.moves", "at least 1"),
        ])?;
        self.schedule.validate()?;
        self.engine.iter().try_for_each(EngineSettings::validate)?;
        for (index, engine) in self.engine.iter().enumerate() {
            if self.engine[..index].iter().any(|other| other.name == engine.name) {
                return Err(engine.wrong("another engine has the same name"));
            }
        }
        if self.pairings()?.is_empty() {
            let (field, range) = ("schedule.challengers".to_owned(), "some of the engines only");
            return Err(GauntletSettingsError::Range { field, range });
        }
        if let Some(sprt) = &self.sprt {
            if self.engine.len() != 2 {
                return Err(GauntletSettingsError::SprtEngines(self.engine.len()));
            }
            sprt.settings(self.schedule.games / 2).validate()?;
        }
        Ok(())
    }

    /// The numbers of the challengers of a gauntlet.
    fn challengers(&self) -> Result<Vec<usize>, GauntletSettingsError> {
        let names = &self.schedule.challengers;
        if names.is_empty() {
            return Ok(vec![0]);
        }
        let found = names.iter().map(|name| {
            let place = self.engine.iter().position(|engine| engine.name == *name);
            place.ok_or_else(|| GauntletSettingsError::Challenger(name.clone()))
        });
        let mut found = found.collect::<Result<Vec<_>, _>>()?;
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Who meets whom, as numbers of engines, in a fixed order.
    ///
    /// # Errors
    /// A challenger is unknown.
    pub fn pairings(&self) -> Result<Vec<[usize; 2]>, GauntletSettingsError> {
        let count = self.engine.len();
        Ok(match self.schedule.kind {
            ScheduleKind::RoundRobin => {
                (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])).collect()
            }
            ScheduleKind::Ladder => (1..count).map(|b| [b - 1, b]).collect(),
            ScheduleKind::Gauntlet => {
                let challengers = self.challengers()?;
                let others = || (0..count).filter(|it| !challengers.contains(it));
                challengers.iter().flat_map(|&a| others().map(move |b| [a, b])).collect()
            }
        })
    }
}

/// Names the first key whose value is out of its range.
fn check(ranges: &[(bool, &str, &'static str)]) -> Result<(), GauntletSettingsError> {
    match ranges.iter().find(|(holds, ..)| !holds) {
        None => Ok(()),
        Some(&(_, field, range)) => {
            Err(GauntletSettingsError::Range { field: field.to_owned(), range })
        }
    }
}
