//! The gate: a candidate becomes champion if a match says that it is better.
//!
//! The match is a function of the two models, the settings and the seed of the openings, and so is the verdict.

use std::ops::ControlFlow;

use keiko_formats::GameLineError;
use keiko_inference::Backend;
use keiko_mcts::SearchSettings;
use keiko_shogi::{DrawValues, Game, Rules};
use keiko_store::{PutError, Sha256, Store, StoreError};
use thiserror::Error;

use crate::contest::{self, Contender, ContestError, ContestSettings, PlayedGame, Standing};
use crate::openings::{self, OpeningError, OpeningSettings};

pub use mode::GateMode;
pub use settings::{GateSettings, GateSettingsError};
pub use verdict::{EloRange, Verdict, VerdictError};

mod mode;
mod settings;
mod verdict;

/// One match of a candidate against the champion.
#[derive(Debug, Clone)]
pub struct GateMatch<'a> {
    /// SHA-256 of the candidate's model, in hexadecimal.
    pub candidate: &'a str,
    /// SHA-256 of the champion's model, in hexadecimal.
    pub champion: &'a str,
    /// Seed of the openings.
    pub opening_seed: u64,
    /// The text of the opening file, if the settings name one.
    pub opening_text: Option<&'a str>,
    /// How the match is played.
    pub settings: &'a GateSettings,
    /// How both players search.
    pub search: SearchSettings,
    /// The rules of the games.
    pub rules: Rules,
    /// What draws are worth to the searches.
    pub draw_values: DrawValues,
    /// Threads; of no influence on the verdict.
    pub workers: usize,
}

/// Why a gate has no verdict.
#[derive(Debug, Error)]
pub enum GateError<E: std::error::Error + 'static> {
    /// The openings cannot be had.
    #[error("openings: {0}")]
    Openings(#[from] OpeningError),
    /// The settings name an opening file, and its text was not given.
    #[error("openings: the text of {path} was not given")]
    NoOpeningText {
        /// The file.
        path: String,
    },
    /// The match has no result.
    #[error(transparent)]
    Contest(#[from] ContestError<E>),
    /// A game cannot be written as a line.
    #[error("game line: {0}")]
    Line(#[from] GameLineError),
    /// The games or the verdict cannot be stored.
    #[error(transparent)]
    Put(#[from] PutError),
    /// What is stored cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored verdict is unreadable.
    #[error("{key}: {error}")]
    BadVerdict {
        /// Where it is.
        key: String,
        /// What is wrong with it.
        error: VerdictError,
    },
    /// The candidate already has a verdict from a match that is not this one.
    #[error("{key} is the verdict of another match: its {field} differs")]
    OtherMatch {
        /// Where it is.
        key: String,
        /// The first field that differs.
        field: &'static str,
    },
}

/// Plays the match and stores games and verdict under `gate/<candidate>/`, the verdict last. A verdict that is already
/// there is returned without playing. `open` and `watch` are those of [`contest::run`]; the candidate is the first
/// player.
///
/// # Errors
/// The match cannot be played or stored, was interrupted, or the candidate has the verdict of another match.
pub fn run<B, E, F>(
    store: &dyn Store,
    game: &GateMatch<'_>,
    open: F,
    watch: impl FnMut(&Standing) -> ControlFlow<()>,
) -> Result<Verdict, GateError<E>>
where
    B: Backend,
    E: std::error::Error + Send + 'static,
    F: Fn(usize) -> Result<[B; 2], E> + Sync,
{
    if let Some(verdict) = stored_verdict(store, game)? {
        return Ok(verdict);
    }
    let openings = game.openings()?;
    let result = contest::run(&game.contest_settings(), &openings, open, watch)?;
    let verdict = Verdict::of(game, &result);
    // Games without a verdict are left over from a run that was killed between the two.
    let key = format!("gate/{}/games.usi", game.candidate);
    let games = game_lines(&result.games)?;
    store.delete(&key)?;
    store.put_new(&key, games.as_bytes())?;
    store.put_new(&verdict_key(game), verdict.to_toml().as_bytes())?;
    Ok(verdict)
}

/// The verdict that `game`'s candidate already has, if there is one.
///
/// # Errors
/// It cannot be read, or belongs to another match.
pub fn stored_verdict<E: std::error::Error>(
    store: &dyn Store,
    game: &GateMatch<'_>,
) -> Result<Option<Verdict>, GateError<E>> {
    let key = verdict_key(game);
    if !store.exists(&key)? {
        return Ok(None);
    }
    let bytes = store.get(&key)?;
    let verdict = Verdict::from_toml(&String::from_utf8_lossy(&bytes))
        .map_err(|error| GateError::BadVerdict { key: key.clone(), error })?;
    match verdict.difference(game) {
        None => Ok(Some(verdict)),
        Some(field) => Err(GateError::OtherMatch { key, field }),
    }
}

fn verdict_key(game: &GateMatch<'_>) -> String {
    format!("gate/{}/verdict.toml", game.candidate)
}

impl GateMatch<'_> {
    fn openings<E: std::error::Error>(&self) -> Result<Vec<Game>, GateError<E>> {
        let count = self.settings.sprt.cap_pairs as usize;
        let seed = self.opening_seed;
        Ok(match (&self.settings.openings, self.opening_text) {
            (OpeningSettings::Random { plies }, _) => {
                openings::random(seed, *plies, count, self.rules)?
            }
            (OpeningSettings::File { .. }, Some(text)) => {
                openings::from_text(text, seed, count, self.rules)?
            }
            (OpeningSettings::File { path }, None) => {
                return Err(GateError::NoOpeningText { path: path.clone() });
            }
        })
    }

    fn contest_settings(&self) -> ContestSettings {
        ContestSettings {
            players: [Contender::Search(self.search); 2],
            // Nothing is drawn by lot.
            seed: 0,
            simulations: self.settings.simulations,
            group: self.settings.group,
            resignation: self.settings.resignation,
            draw_values: self.draw_values,
            sprt: self.settings.sprt,
            workers: self.workers,
        }
    }

    /// Hash of everything that determines the games, but for the models and the seed.
    fn settings_sha256(&self) -> String {
        let parts = [
            format!("{:?}", self.settings),
            format!("{:?}", self.search),
            format!("{:?}", self.rules),
            format!("{:?}", self.draw_values),
            self.opening_text.unwrap_or("").to_owned(),
        ];
        Sha256::of(parts.join("\n").as_bytes()).to_string()
    }
}

/// One line a game in the order of the match, with the tags `pair`, `candidate` (its colour), `outcome`, `reason` and
/// `ply`.
fn game_lines(games: &[PlayedGame]) -> Result<String, GameLineError> {
    games.iter().map(|game| game.line("candidate").map(|line| format!("{line}\n"))).collect()
}
