use std::path::{Path, PathBuf};

use keiko_mcts::SearchSettings;
use keiko_shogi::{DrawValues, Game, Rules};
use keiko_store::Sha256;
use serde_json::Value;
use thiserror::Error;

use super::settings::{EngineKind, EngineSettings, GauntletSettings, GauntletSettingsError};
use crate::contest::Contender;
use crate::openings::{self, OpeningError, OpeningSettings};
use crate::referee::ThinkingTime;
use crate::reference::Reference;
use crate::usi_player::UsiEngine;

/// An event that is ready to be played.
#[derive(Debug, Clone)]
pub struct Event {
    /// As given.
    pub settings: GauntletSettings,
    /// The rules of its games, and how nets search in it.
    pub rules: EventRules,
    /// The engines, in the order of the settings.
    pub entrants: Vec<Entrant>,
    /// Who meets whom.
    pub pairings: Vec<[usize; 2]>,
    /// A start for each pair of games of a pairing.
    pub openings: Vec<Game>,
    /// Hash of the file of openings, if they are from one.
    pub openings_sha256: Option<Sha256>,
}

/// The rules of an event's games, and how nets search.
#[derive(Debug, Clone, Copy)]
pub struct EventRules {
    /// The rules.
    pub rules: Rules,
    /// What draws are worth to nets.
    pub draw_values: DrawValues,
    /// How nets search; may be missing where none takes part.
    pub search: Option<SearchSettings>,
}

/// An engine of an event.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub player: EntrantPlayer,
    /// How long it thinks.
    pub time: ThinkingTime,
    /// Its rating, where that is fixed.
    pub anchor: Option<f64>,
}

/// What an engine is.
#[derive(Debug, Clone)]
pub enum EntrantPlayer {
    /// A net in this process, of the file or folder.
    Model {
        /// As given.
        path: PathBuf,
        /// How it searches.
        search: SearchSettings,
    },
    /// A rule of thumb.
    Reference(Reference),
    /// A USI engine.
    Program(UsiEngine),
}

/// Why there is no event.
#[derive(Debug, Error)]
pub enum EventError {
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] GauntletSettingsError),
    /// A net takes part and nobody says how it searches.
    #[error("engine {0:?} is a model: a section [search] is wanted")]
    NoSearch(String),
    /// The file of openings cannot be read.
    #[error("schedule.openings.path {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// There are no such openings.
    #[error("schedule.openings: {0}")]
    Openings(#[from] OpeningError),
}

impl Entrant {
    /// Whether it plays in lockstep with others: a net or reference player without a clock.
    pub(super) fn is_in_process(&self) -> bool {
        !matches!(self.player, EntrantPlayer::Program(_))
            && matches!(self.time, ThinkingTime::Nodes { .. })
    }

    /// The engine in lockstep games; none for programs.
    pub(super) fn contender(&self) -> Option<Contender> {
        match &self.player {
            EntrantPlayer::Model { search, .. } => Some(Contender::Search(*search)),
            EntrantPlayer::Reference(player) => Some(Contender::Reference(*player)),
            EntrantPlayer::Program(_) => None,
        }
    }
}

impl Event {
    /// Checks the settings and makes the openings.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn new(settings: GauntletSettings, rules: EventRules) -> Result<Event, EventError> {
        settings.validate()?;
        let entrants =
            (0..settings.engine.len()).map(|index| entrant(&settings, index, rules.search));
        let entrants = entrants.collect::<Result<Vec<_>, _>>()?;
        let pairings = settings.pairings()?;
        let schedule = &settings.schedule;
        let count = schedule.games as usize / 2;
        let mut openings_sha256 = None;
        let openings = match &schedule.openings {
            OpeningSettings::Random { plies } => {
                openings::random(schedule.seed, *plies, count, rules.rules)?
            }
            OpeningSettings::File { path } => {
                let failed = |source| EventError::Read { path: PathBuf::from(path), source };
                let text = std::fs::read_to_string(path).map_err(failed)?;
                openings_sha256 = Some(Sha256::of(text.as_bytes()));
                openings::from_text(&text, schedule.seed, count, rules.rules)?
            }
        };
        Ok(Event { settings, rules, entrants, pairings, openings, openings_sha256 })
    }

    /// The set of openings in words, as it must stand beside every rating.
    pub fn openings_name(&self) -> String {
        let settings = &self.settings.schedule;
        let (named, seed) = (settings.openings.described(self.openings.len()), settings.seed);
        match self.openings_sha256 {
            None => format!("{named} (seed {seed})"),
            Some(sha256) => {
                let short: String = sha256.to_string().chars().take(12).collect();
                format!("{named} (sha256 {short}, seed {seed})")
            }
        }
    }

    /// The anchors in words, as they must stand beside every rating.
    pub fn anchors_name(&self) -> String {
        let anchors: Vec<String> = self
            .entrants
            .iter()
            .filter_map(|entrant| Some(format!("{} = {}", entrant.name, entrant.anchor?)))
            .collect();
        if anchors.is_empty() {
            "none; the rated engines' mean is 0, the numbers compare these engines only".to_owned()
        } else {
            anchors.join(", ")
        }
    }
}

fn entrant(
    settings: &GauntletSettings,
    index: usize,
    search: Option<SearchSettings>,
) -> Result<Entrant, EventError> {
    let engine = &settings.engine[index];
    let player = match engine.kind()? {
        EngineKind::Model(path) => {
            let common = search.ok_or_else(|| EventError::NoSearch(engine.name.clone()))?;
            EntrantPlayer::Model { path: PathBuf::from(path), search: own_search(engine, common)? }
        }
        EngineKind::Reference(player) => EntrantPlayer::Reference(player),
        EngineKind::Program(program) => EntrantPlayer::Program(UsiEngine {
            name: engine.name.clone(),
            program: Path::new(program).to_owned(),
            arguments: engine.args.clone(),
            directory: engine.directory.as_ref().map(PathBuf::from),
            options: engine
                .options
                .iter()
                .map(|(name, value)| (name.clone(), value.usi()))
                .collect(),
            usi_patience_ms: settings.schedule.start_patience_ms,
            ready_patience_ms: settings.schedule.start_patience_ms,
        }),
    };
    Ok(Entrant { name: engine.name.clone(), player, time: engine.time()?, anchor: engine.anchor })
}

/// How a model searches: as all do, but for the keys of its own.
fn own_search(
    engine: &EngineSettings,
    common: SearchSettings,
) -> Result<SearchSettings, GauntletSettingsError> {
    let Some(own) = &engine.search else { return Ok(common) };
    let wrong = |what: String| engine.wrong(&format!("search: {what}"));
    let mut all = serde_json::to_value(common).map_err(|error| wrong(error.to_string()))?;
    merge(&mut all, own);
    let search: SearchSettings =
        serde_json::from_value(all).map_err(|error| wrong(error.to_string()))?;
    search.validate().map_err(|error| wrong(error.to_string()))?;
    Ok(search)
}

/// Puts the leaves of one tree over those of another.
fn merge(all: &mut Value, own: &Value) {
    match (all, own) {
        (Value::Object(all), Value::Object(own)) => {
            for (key, value) in own {
                merge(all.entry(key.as_str()).or_insert(Value::Null), value);
            }
        }
        (all, own) => *all = own.clone(),
    }
}
