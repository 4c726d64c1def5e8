use keiko_replay::{IngestError, IngestLog, IngestedShard, RecordError, ShardError, ShardReader};
use keiko_shogi::{Color, DrawValues};
use keiko_store::{PutError, Sha256, Store, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Audit, PastGames, ReplayedDraws, Settings, Thresholds};

/// What the games of a stream depend on beside seed, settings and model: fixed before the first of them begins, and
/// kept in the store as `plans/<stream>.toml`, so that a stream that is gone on with has the same games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Entries of the ingest log whose games the stream may know.
    pub entries: u32,
    /// The opening book, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Sha256>,
    /// Games that were played out from which the thresholds follow.
    pub audited_games: u32,
    /// Games of the newest of these entries that others may go on from; 0 where none is to.
    pub past_games: u32,
    /// What a sennichite is worth to Black, where it follows earlier games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sennichite: Option<f32>,
    /// When sides resign.
    pub thresholds: Thresholds,
}

/// Why there is no plan, or its games cannot be read.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The ingest log cannot be read.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be stored.
    #[error(transparent)]
    Put(#[from] PutError),
    /// The stored text is no plan.
    #[error("{key} is damaged ({problem}): put it back from a copy of the run")]
    Text {
        /// The plan.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A shard is damaged.
    #[error("{key}: {source}")]
    Shard {
        /// The shard.
        key: String,
        /// What is wrong with it.
        source: ShardError,
    },
    /// A shard is not the one that entered the log.
    #[error("{key} is not the shard that the ingest log names: its sha256 differs")]
    Changed {
        /// The shard.
        key: String,
    },
    /// Games that the stream goes on from were deleted since it began.
    #[error(
        "{found} of the {began} earlier games are there that the games of this generation may begin from \
         (selfplay.starts): put the others back until it is played"
    )]
    Gone {
        /// Games found.
        found: usize,
        /// Games that were there when the stream began.
        began: u32,
    },
    /// The book is not the one that the stream began with.
    #[error(
        "it is not the file that the games of {stream} began with (sha256 {began}): put that one back until they are \
         played"
    )]
    Book {
        /// The stream.
        stream: String,
        /// The hash of the file that it began with.
        began: Sha256,
    },
}

impl Plan {
    /// The stored plan of a stream, if it has begun.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn stored(store: &dyn Store, stream: &str) -> Result<Option<Self>, PlanError> {
        let key = key(stream);
        if !store.exists(&key)? {
            return Ok(None);
        }
        let wrong = |problem: String| PlanError::Text { key: key.clone(), problem };
        let text = String::from_utf8(store.get(&key)?).map_err(|e| wrong(e.to_string()))?;
        let plan: Self = toml::from_str(&text).map_err(|e| wrong(e.message().to_owned()))?;
        Ok(Some(plan))
    }

    /// The plan of a stream that follows the stream `previous`: the stored one, or one that is made from all games
    /// that have been ingested, and stored. `book` is the hash of the opening book.
    ///
    /// # Errors
    /// When the store or a shard cannot be read, or the stream began with another book.
    pub fn of_stream(
        store: &dyn Store,
        stream: &str,
        previous: Option<&str>,
        settings: &Settings,
        book: Option<Sha256>,
    ) -> Result<Self, PlanError> {
        if let Some(plan) = Self::stored(store, stream)? {
            return match (plan.book, book) {
                (Some(began), Some(book)) if began != book => {
                    Err(PlanError::Book { stream: stream.to_owned(), began })
                }
                _ => Ok(plan),
            };
        }
        let entries = IngestLog::new(store).len()?;
        let resignation = &settings.resignation;
        let mut audit = Audit::default();
        if resignation.adapt {
            newest_games(store, entries, |_, games| {
                for game in games.iter().rev().flatten() {
                    if audit.len() < resignation.audited_games as usize {
                        audit.add(game);
                    }
                }
                audit.len() < resignation.audited_games as usize
            })?;
        }
        let previous =
            previous.map(|previous| Self::stored(store, previous)).transpose()?.flatten();
        let previous = previous.map_or(Thresholds::NEVER, |plan| plan.thresholds);
        let thresholds = Thresholds::next(resignation, &previous, &audit);
        let audited_games = audit.len() as u32;
        let past_games = match settings.starts.needs_games() {
            true => newest_entry(store, entries)?.len() as u32,
            false => 0,
        };
        let sennichite = sennichite(store, entries, &settings.replayed_draws)?;
        let plan = Self { entries, book, audited_games, past_games, sennichite, thresholds };
        let text = toml::to_string(&plan)
            .map_err(|e| PlanError::Text { key: key(stream), problem: e.to_string() })?;
        store.put_new(&key(stream), text.as_bytes())?;
        Ok(plan)
    }

    /// What draws are worth in the stream, where they have the fixed values `fixed` otherwise.
    #[must_use]
    pub fn draw_values(&self, fixed: DrawValues) -> DrawValues {
        DrawValues { sennichite: self.sennichite.unwrap_or(fixed.sennichite), ..fixed }
    }

    /// The games that others may go on from: those of the newest entry that the stream may know.
    ///
    /// # Errors
    /// When the store or a shard cannot be read, or games are gone that were there when the stream began.
    pub fn past_games(&self, store: &dyn Store) -> Result<PastGames, PlanError> {
        if self.past_games == 0 {
            return Ok(PastGames::default());
        }
        let past = newest_entry(store, self.entries)?;
        let (found, began) = (past.len(), self.past_games);
        if found == began as usize { Ok(past) } else { Err(PlanError::Gone { found, began }) }
    }
}

/// What a sennichite is worth to Black by the newest decided games of the first `entries` entries. A game that a fault
/// decided tells nothing of the sides.
fn sennichite(
    store: &dyn Store,
    entries: u32,
    settings: &ReplayedDraws,
) -> Result<Option<f32>, PlanError> {
    if settings.games == 0 {
        return Ok(None);
    }
    let (mut black, mut decided) = (0, 0);
    newest_games(store, entries, |_, games| {
        for game in games.iter().rev().flatten().filter(|game| !game.is_decided_by_fault()) {
            let Some(winner) = game.outcome.winner() else { continue };
            if decided < settings.games {
                decided += 1;
                black += u32::from(winner == Color::Black);
            }
        }
        decided < settings.games
    })?;
    Ok(settings.sennichite(black, decided))
}

/// The games of the last of `entries` entries that others may go on from.
fn newest_entry(store: &dyn Store, entries: u32) -> Result<PastGames, PlanError> {
    let mut past = PastGames::default();
    newest_games(store, entries, |entry, games| {
        let is_newest = entry + 1 == entries;
        if is_newest {
            games.iter().flatten().for_each(|game| past.add(game));
        }
        is_newest
    })?;
    Ok(past)
}

fn key(stream: &str) -> String {
    format!("plans/{stream}.toml")
}

type Games = [Result<keiko_replay::GameRecord, RecordError>];

/// Shows the games of the first `entries` entries of the ingest log, the newest shard first, with the number of
/// their entry, as long as `take` wants more. Shards that were deleted are passed over; those are old.
fn newest_games(
    store: &dyn Store,
    entries: u32,
    mut take: impl FnMut(u32, &Games) -> bool,
) -> Result<(), PlanError> {
    let log = IngestLog::new(store);
    for entry in (0..entries).rev() {
        for IngestedShard { key, sha256, .. } in log.read(entry)?.shards.into_iter().rev() {
            let bytes = match store.get(&key) {
                Err(StoreError::NotFound { .. }) => continue,
                other => other?,
            };
            if Sha256::of(&bytes) != sha256 {
                return Err(PlanError::Changed { key });
            }
            let games = ShardReader::open(&bytes).and_then(|shard| shard.read_all());
            let games = games.map_err(|source| PlanError::Shard { key, source })?;
            if !take(entry, &games) {
                return Ok(());
            }
        }
    }
    Ok(())
}
