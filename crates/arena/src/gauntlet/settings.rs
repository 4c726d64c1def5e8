use std::collections::BTreeMap;

use keiko_play::TimeControl;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::openings::OpeningSettings;
use crate::referee::{Adjudication, ThinkingTime};
use crate::reference::Reference;
use crate::statistics::{EloScale, SprtSettings, SprtSettingsError};

/// An engine of an event: exactly one of `model`, `reference` and `command`, and how long it may think.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    /// What it is called in all tables and records; no two are called alike.
    pub name: String,
    /// A net of this project's form, which plays in this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `random` or `greedy`, which need no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// A USI engine's program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The program's arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder the program starts in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Keys of `[search]` that are different for this model, nested as they are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<serde_json::Value>,
    /// USI options of the program; it must have them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// Nodes a move: simulations of a net's search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The same time for every move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Time for the whole game, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main_ms: Option<u64>,
    /// Time for each move once the main time is used up, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byoyomi_ms: Option<u64>,
    /// Time that each move adds (Fischer), in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// The rating that the engine has whatever its games say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<f64>,
}

/// A USI option's value as TOML has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true`, `false`.
    Check(bool),
    /// A number.
    Spin(i64),
    /// Anything else.
    Text(String),
}

impl OptionValue {
    /// As USI writes it.
    pub fn usi(&self) -> String {
        match self {
            OptionValue::Check(value) => value.to_string(),
            OptionValue::Spin(value) => value.to_string(),
            OptionValue::Text(value) => value.clone(),
        }
    }
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleKind {
    /// Everybody meets everybody.
    RoundRobin,
    /// The challengers meet all others, and not each other.
    Gauntlet,
    /// Each engine meets the next one of the list.
    Ladder,
}

/// Which draws are played again with colours reversed, as professionals do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplayDraws {
    /// None.
    Off,
    /// Those by fourfold repetition.
    Sennichite,
    /// All but those at the maximum of plies.
    All,
}

/// The clocks of a game that replays a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ReplayTime {
    /// In words.
    Named(NamedReplayTime),
    /// A main time for both sides, in seconds.
    Seconds(u64),
}

/// The clocks of a game that replays a draw, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedReplayTime {
    /// Each engine has what it had left.
    Remaining,
    /// As in a new game.
    Fresh,
}

/// How an event is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleSettings {
    /// Who meets whom.
    pub kind: ScheduleKind,
    /// The challengers of a gauntlet by name; without it the first engine is the only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub challengers: Vec<String>,
    /// Games of each two that meet, even: every opening is played twice with colours reversed.
    pub games: u32,
    /// Games at once where a program or a clock takes part.
    pub concurrency: usize,
    /// Games at once among nets and reference players by nodes, whose positions are evaluated in batches.
    pub batch_games: usize,
    /// A move may be late by so much, for the way between the programs, in milliseconds.
    pub margin_ms: u64,
    /// How long a program may take to start and to get ready for a game, in milliseconds.
    pub start_patience_ms: u64,
    /// How long a program may take for a move by nodes, in milliseconds.
    pub nodes_patience_ms: u64,
    /// Seed of the openings and of what reference players draw by lot.
    pub seed: u64,
    /// Which draws are played again.
    pub replay_draws: ReplayDraws,
    /// With which time.
    pub replay_time: ReplayTime,
    /// Games that may follow the first of a chain of draws.
    pub max_replays: u32,
    /// Where games start.
    pub openings: OpeningSettings,
}

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

/// What kind of player an engine is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind<'a> {
    /// A net, at this path.
    Model(&'a str),
    /// A rule of thumb.
    Reference(Reference),
    /// A program.
    Program(&'a str),
}

impl EngineSettings {
    /// What kind of player it is.
    ///
    /// # Errors
    /// None or several kinds are named, or an unknown reference player.
    pub fn kind(&self) -> Result<EngineKind<'_>, GauntletSettingsError> {
        match (&self.model, &self.reference, &self.command) {
            (Some(path), None, None) => Ok(EngineKind::Model(path)),
            (None, Some(name), None) => Reference::ALL
                .into_iter()
                .find(|it| it.name() == name)
                .map(EngineKind::Reference)
                .ok_or_else(|| self.wrong("reference must be \"random\" or \"greedy\"")),
            (None, None, Some(program)) => Ok(EngineKind::Program(program)),
            _ => Err(self.wrong("exactly one of model, reference and command is wanted")),
        }
    }

    /// How long it thinks. A reference player needs no limit.
    ///
    /// # Errors
    /// Limits are missing, or do not go together.
    pub fn time(&self) -> Result<ThinkingTime, GauntletSettingsError> {
        let control = TimeControl {
            main_ms: self.main_ms.unwrap_or(0),
            byoyomi_ms: self.byoyomi_ms.unwrap_or(0),
            increment_ms: self.increment_ms.unwrap_or(0),
        };
        let has_clock = control != TimeControl::default();
        match (self.nodes, self.movetime_ms, has_clock) {
            (Some(nodes), None, false) if nodes > 0 => Ok(ThinkingTime::Nodes { nodes }),
            (None, Some(ms), false) if ms > 0 => Ok(ThinkingTime::MoveTime { ms }),
            (None, None, true) if control.byoyomi_ms > 0 && control.increment_ms > 0 => {
                Err(self.wrong("byoyomi_ms and increment_ms do not go together"))
            }
            (None, None, true) if control.main_ms == 0 && control.byoyomi_ms == 0 => {
                Err(self.wrong("increment_ms needs a main_ms to start with"))
            }
            (None, None, true) => Ok(ThinkingTime::Clock(control)),
            (None, None, false) if self.reference.is_some() => Ok(ThinkingTime::Nodes { nodes: 1 }),
            _ => Err(self.wrong(
                "one limit is wanted: nodes, movetime_ms, or a clock of main_ms with byoyomi_ms or increment_ms",
            )),
        }
    }

    pub(super) fn wrong(&self, what: &str) -> GauntletSettingsError {
        GauntletSettingsError::Engine { name: self.name.clone(), what: what.to_owned() }
    }

    fn validate(&self) -> Result<(), GauntletSettingsError> {
        let kind = self.kind()?;
        self.time()?;
        if self.name.trim().is_empty() || self.name.chars().any(|c| c.is_control() || c == '"') {
            return Err(self.wrong("name must be of characters without quotes, and not empty"));
        }
        if self.anchor.is_some_and(|anchor| !(-20_000.0..=20_000.0).contains(&anchor)) {
            return Err(self.wrong("anchor must be an Elo rating"));
        }
        let for_programs =
            !self.args.is_empty() || self.directory.is_some() || !self.options.is_empty();
        if for_programs && !matches!(kind, EngineKind::Program(_)) {
            return Err(self.wrong("args, directory and options are for a command only"));
        }
        if self.search.is_some() && !matches!(kind, EngineKind::Model(_)) {
            return Err(self.wrong("search is for a model only"));
        }
        if matches!(kind, EngineKind::Model(_)) && self.nodes.is_some_and(|n| n > 100_000_000) {
            return Err(self.wrong("nodes must be at most 100000000 for a model"));
        }
        Ok(())
    }
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
        let schedule = &self.schedule;
        let plies = match schedule.openings {
            OpeningSettings::Random { plies } => (1..=100).contains(&plies),
            OpeningSettings::File { .. } => true,
        };
        let even = (2..=1_000_000).contains(&schedule.games) && schedule.games.is_multiple_of(2);
        let agrees = self.adjudication.is_none_or(|it| it.score_cp > 0 && it.moves > 0);
        let patience = 100..=86_400_000;
        for (holds, field, range) in [
            ((2..=200).contains(&self.engine.len()), "engine", "given 2 to 200 times"),
            (even, "schedule.games", "an even number from 2 to 1000000"),
            ((1..=1024).contains(&schedule.concurrency), "schedule.concurrency", "from 1 to 1024"),
            (
                (1..=65_536).contains(&schedule.batch_games),
                "schedule.batch_games",
                "from 1 to 65536",
            ),
            (schedule.margin_ms <= 60_000, "schedule.margin_ms", "at most 60000"),
            (
                patience.contains(&schedule.start_patience_ms),
                "schedule.start_patience_ms",
                "from 100 to 86400000",
            ),
            (
                patience.contains(&schedule.nodes_patience_ms),
                "schedule.nodes_patience_ms",
                "from 100 to 86400000",
            ),
            (schedule.seed < 1 << 63, "schedule.seed", "from 0 to 2^63 - 1"),
            (schedule.max_replays <= 100, "schedule.max_replays", "at most 100"),
            (plies, "schedule.openings.plies", "from 1 to 100"),
            (agrees, "adjudication.score_cp and adjudication.moves", "at least 1"),
        ] {
            if !holds {
                return Err(GauntletSettingsError::Range { field: field.to_owned(), range });
            }
        }
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
            sprt.settings(schedule.games / 2).validate()?;
        }
        Ok(())
    }

    /// The numbers of the challengers of a gauntlet.
    fn challengers(&self) -> Result<Vec<usize>, GauntletSettingsError> {
        let names = &self.schedule.challengers;
        let of_gauntlet = self.schedule.kind == ScheduleKind::Gauntlet;
        if !of_gauntlet && !names.is_empty() {
            let range = "left out unless kind is \"gauntlet\"";
            return Err(GauntletSettingsError::Range {
                field: "schedule.challengers".to_owned(),
                range,
            });
        }
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
