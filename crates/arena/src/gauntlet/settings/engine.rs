use std::collections::BTreeMap;

use keiko_play::TimeControl;
use serde::{Deserialize, Serialize};

use super::GauntletSettingsError;
use crate::referee::ThinkingTime;
use crate::reference::Reference;

/// An engine of an event: exactly one of `model`, `reference` and `command`, and how long it may think.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    /// What it is called in all tables and records; no two are called alike.
    pub name: String,
    /// A net of this project's form, which plays in this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `random` or `greedy`, which take no limit.
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

/// The longest time of a clock, in milliseconds.
const MOST_MS: u64 = 86_400_000;

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

    /// How long it thinks. A reference player takes no limit.
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
        let times = [self.movetime_ms, self.main_ms, self.byoyomi_ms, self.increment_ms];
        if times.into_iter().flatten().any(|ms| ms > MOST_MS) {
            return Err(self.wrong("times must be at most 86400000 ms, a day"));
        }
        if self.reference.is_some() {
            return match self.given_limit() {
                None => Ok(ThinkingTime::Nodes { nodes: 1 }),
                Some(key) => {
                    Err(self
                        .wrong(&format!("{key}: leave it out, a reference player does not think")))
                }
            };
        }
        match (self.nodes, self.movetime_ms, has_clock) {
            (Some(nodes), None, false) if nodes > 0 => Ok(ThinkingTime::Nodes { nodes }),
            (None, Some(ms), false) if ms > 0 => Ok(ThinkingTime::MoveTime { ms }),
            (None, None, true) if control.main_ms == 0 && control.byoyomi_ms == 0 => {
                Err(self.wrong("increment_ms needs a main_ms to start with"))
            }
            (None, None, true) => Ok(ThinkingTime::Clock(control)),
            _ => Err(self.wrong(
                "one limit is wanted: nodes, movetime_ms, or a clock of main_ms, byoyomi_ms and increment_ms",
            )),
        }
    }

    /// The first key that limits its thinking.
    fn given_limit(&self) -> Option<&'static str> {
        let limits = [
            ("nodes", self.nodes),
            ("movetime_ms", self.movetime_ms),
            ("main_ms", self.main_ms),
            ("byoyomi_ms", self.byoyomi_ms),
            ("increment_ms", self.increment_ms),
        ];
        limits.into_iter().find_map(|(key, value)| value.map(|_| key))
    }

    pub(in crate::gauntlet) fn wrong(&self, what: &str) -> GauntletSettingsError {
        GauntletSettingsError::Engine { name: self.name.clone(), what: what.to_owned() }
    }

    pub(super) fn validate(&self) -> Result<(), GauntletSettingsError> {
        let kind = self.kind()?;
        self.time()?;
        if self.name.trim().is_empty() || self.name.chars().any(|c| c.is_control() || c == '"') {
            return Err(self.wrong("name must not be empty, nor hold quotes or control characters"));
        }
        if self.anchor.is_some_and(|anchor| !(-20_000.0..=20_000.0).contains(&anchor)) {
            return Err(self.wrong("anchor must be an Elo rating"));
        }
        let for_programs = [
            ("args", !self.args.is_empty()),
            ("directory", self.directory.is_some()),
            ("options", !self.options.is_empty()),
        ];
        if let Some((key, _)) = for_programs.iter().find(|(_, given)| *given)
            && !matches!(kind, EngineKind::Program(_))
        {
            return Err(self.wrong(&format!("{key} is for a command only: leave it out")));
        }
        let is_line = |text: &str| !text.chars().any(char::is_control);
        if let Some((name, _)) =
            self.options.iter().find(|(name, value)| !is_line(name) || !is_line(&value.usi()))
        {
            return Err(self.wrong(&format!("options: {name:?} holds a control character")));
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
