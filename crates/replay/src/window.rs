//! The games that are trained on.

use std::collections::{BTreeMap, VecDeque};

use keiko_encoding::EncodingId;
use keiko_store::{Sha256, Store, StoreError};
use rayon::prelude::*;

use crate::held_out::is_held_out;
use crate::ingest::{IngestError, IngestLog, IngestedShard};
use crate::record::RecordError;
use crate::settings::Settings;
use crate::shard::ShardReader;

mod error;
mod game;
mod rows;
mod uses;

pub use error::WindowError;
pub(crate) use game::{Place, RowTarget, WindowGame};
pub(crate) use rows::RowIndex;
pub(crate) use uses::UNITS;

/// The newest rows of a run, and the held-out games among them.
///
/// A row is a ply that may be sampled: one that was searched with the full budget, or by the settings
/// any that was searched. After `n` entries of the ingest log the window is the same however it got
/// there, by one reading or by many.
#[derive(Debug)]
pub struct Window {
    settings: Settings,
    encoding: EncodingId,
    entries: u32,
    total_rows: u64,
    bad_games: u64,
    games: VecDeque<Slot>,
    seen: BTreeMap<String, BTreeMap<u64, u64>>,
    training: RowIndex,
    held_out: RowIndex,
}

/// A game in the window.
#[derive(Debug)]
struct Slot {
    game: WindowGame,
    /// Rows made in the whole run up to and with this game.
    end_row: u64,
    held_out: bool,
}

/// Where a row comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowSource {
    /// The game's stream.
    pub stream: String,
    /// The game's number in the stream.
    pub index: u64,
    /// Moves played before the row's position.
    pub ply: u16,
}

/// A shard of the log and the rows made in the run before and after it.
struct Pending {
    shard: IngestedShard,
    start_row: u64,
    end_row: u64,
}

/// The shards of the ingest log in which no window has a row, neither after its first `entries` entries nor after any
/// later one so far.
///
/// # Errors
///
/// If the log cannot be read.
pub fn left_behind(
    store: &dyn Store,
    settings: &Settings,
    entries: u32,
) -> Result<Vec<IngestedShard>, WindowError> {
    let log = IngestLog::new(store);
    // Only rows are counted, which have no encoding.
    let mut window = Window::empty(settings.clone(), EncodingId::ALL[0]);
    let mut all = Vec::new();
    let mut first_row = u64::MAX;
    for number in 0..log.len()? {
        for shard in log.read(number)?.shards {
            all.push(window.enter(shard)?);
        }
        if number + 1 >= entries {
            first_row = first_row.min(window.first_row());
        }
    }
    if first_row == u64::MAX {
        return Ok(Vec::new());
    }
    let old = all.into_iter().take_while(|pending| pending.end_row <= first_row);
    Ok(old.map(|pending| pending.shard).collect())
}

impl Window {
    /// An empty window for models that read `encoding`.
    ///
    /// # Errors
    ///
    /// [`WindowError::Settings`] if a value is out of range.
    pub fn new(settings: Settings, encoding: EncodingId) -> Result<Self, WindowError> {
        settings.check()?;
        Ok(Self::empty(settings, encoding))
    }

    fn empty(settings: Settings, encoding: EncodingId) -> Self {
        Self {
            settings,
            encoding,
            entries: 0,
            total_rows: 0,
            bad_games: 0,
            games: VecDeque::new(),
            seen: BTreeMap::new(),
            training: RowIndex::default(),
            held_out: RowIndex::default(),
        }
    }

    /// The first row of the run that is in the window.
    fn first_row(&self) -> u64 {
        self.total_rows - self.settings.window.rows(self.total_rows)
    }

    /// Reads the ingest log up to and without entry `through`, loads the games that are in the window
    /// then, and lets go of the others. Shards that are too old are not read.
    ///
    /// # Errors
    ///
    /// If the log or a shard cannot be read, is not as it should be, or holds more bad games than the
    /// settings allow. The window is then no longer of use.
    pub fn advance(&mut self, store: &dyn Store, through: u32) -> Result<(), WindowError> {
        if through < self.entries {
            return Err(WindowError::Backwards { have: self.entries, asked: through });
        }
        let log = IngestLog::new(store);
        let mut pending = Vec::new();
        for number in self.entries..through {
            for shard in log.read(number)?.shards {
                pending.push(self.enter(shard)?);
            }
            self.entries = number + 1;
        }
        let first_row = self.first_row();
        let is_old = |slot: &Slot| slot.end_row <= first_row;
        while self.games.front().is_some_and(is_old) {
            self.games.pop_front();
        }
        for pending in pending.iter().filter(|pending| pending.end_row > first_row) {
            self.load(store, pending, first_row)?;
        }
        let rows = |held_out| {
            let games = self.games.iter().enumerate();
            let games = games.filter(move |(_, slot)| slot.held_out == held_out);
            games.map(|(i, slot)| (i, slot.game.rows()))
        };
        let (training, held_out) = (RowIndex::new(rows(false)), RowIndex::new(rows(true)));
        (self.training, self.held_out) = (training, held_out);
        Ok(())
    }

    /// Entries of the ingest log that were read.
    #[must_use]
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// Rows made in the whole run up to the last entry read, by the log's count.
    #[must_use]
    pub fn total_rows(&self) -> u64 {
        self.total_rows
    }

    /// Rows in the window that may be trained on.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.training.rows()
    }

    /// Rows in the window that are held out.
    #[must_use]
    pub fn held_out_rows(&self) -> u64 {
        self.held_out.rows()
    }

    /// How unevenly rows are drawn: the number of rows that would tell as much if all were drawn equally often (the
    /// squared sum of their uses by the sum of squares; Kish 1965), and the uses of the one drawn most, where the mean is 1.
    #[must_use]
    pub fn evenness(&self) -> (f64, f64) {
        let (mut squares, mut most) = (0.0, 0.0_f64);
        for row in (0..self.rows()).map(|number| self.training.row(number)) {
            let uses = self.game(row.game).units(row.row) as f64 / UNITS as f64;
            squares += uses * uses;
            most = most.max(uses);
        }
        let rows = self.rows() as f64;
        (if squares > 0.0 { rows * rows / squares } else { 0.0 }, most)
    }

    /// Games in the window, the held-out ones among them.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Games that were left out because they break the rules.
    #[must_use]
    pub fn bad_games(&self) -> u64 {
        self.bad_games
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The encoding of the batches' rows.
    #[must_use]
    pub fn encoding(&self) -> EncodingId {
        self.encoding
    }

    /// Training steps of `batch_rows` rows that the run may have made by now, by its uses of a row; 0
    /// as long as there are too few rows to start.
    #[must_use]
    pub fn allowed_steps(&self, batch_rows: usize) -> u64 {
        if self.total_rows < self.settings.window.min_rows() || batch_rows == 0 {
            return 0;
        }
        self.steps_of(self.total_rows, batch_rows)
    }

    /// Steps of `batch_rows` rows that `rows` rows allow, by the uses of a row.
    #[must_use]
    pub fn steps_of(&self, rows: u64, batch_rows: usize) -> u64 {
        (rows as f64 * self.settings.max_uses_per_row / batch_rows as f64) as u64
    }

    pub(crate) fn training(&self) -> &RowIndex {
        &self.training
    }

    pub(crate) fn held_out(&self) -> &RowIndex {
        &self.held_out
    }

    /// The game at place `game` of the window.
    pub(crate) fn game(&self, game: u32) -> &WindowGame {
        &self.games[game as usize].game
    }

    /// Takes a shard of the log into account.
    fn enter(&mut self, shard: IngestedShard) -> Result<Pending, WindowError> {
        let ranges = self.seen.entry(shard.stream.clone()).or_default();
        let before = ranges.range(..=shard.last_index).next_back();
        if before.is_some_and(|(_, &last)| last >= shard.first_index) {
            return Err(WindowError::Duplicate { key: shard.key, stream: shard.stream });
        }
        ranges.insert(shard.first_index, shard.last_index);
        let start_row = self.total_rows;
        self.total_rows += self.settings.rows_of(std::slice::from_ref(&shard));
        Ok(Pending { shard, start_row, end_row: self.total_rows })
    }

    /// Adds the games of a shard that reach beyond `first_row`.
    fn load(
        &mut self,
        store: &dyn Store,
        pending: &Pending,
        first_row: u64,
    ) -> Result<(), WindowError> {
        let Pending { shard: line, start_row, .. } = pending;
        let key = &line.key;
        let bytes = store.get(key).map_err(|error| match error {
            StoreError::NotFound { .. } => WindowError::Missing { key: key.clone() },
            other => IngestError::from(other).into(),
        })?;
        let differs = |field| WindowError::NotAsLogged { key: key.clone(), field };
        let damaged = |source| WindowError::Shard { key: key.clone(), source };
        if Sha256::of(&bytes) != line.sha256 {
            return Err(differs("sha256"));
        }
        let shard = ShardReader::open(&bytes).map_err(damaged)?;
        if shard.header().stream != line.stream {
            return Err(differs("stream"));
        }
        if shard.summary() != line.summary() {
            return Err(differs("number of games or plies"));
        }
        let mut end_row = *start_row;
        for number in 0..shard.blocks() {
            let games = shard.read_block(number).map_err(damaged)?;
            let settings = &self.settings;
            let compact = |game: Result<_, _>| {
                game.and_then(|game| WindowGame::new(&game, settings).map(|it| (game, it)))
            };
            let games: Vec<_> = games.into_par_iter().map(compact).collect();
            for game in games {
                let (record, game) = match game {
                    Ok(both) => both,
                    Err(source) => {
                        self.count_bad(key, source)?;
                        continue;
                    }
                };
                end_row += u64::from(game.rows());
                if end_row > first_row && game.rows() > 0 {
                    let modulus = self.settings.held_out_modulus;
                    let (stream, index) = record.origin();
                    let held_out = is_held_out(stream, index, modulus);
                    self.games.push_back(Slot { game, end_row, held_out });
                }
            }
        }
        Ok(())
    }

    fn count_bad(&mut self, key: &str, source: RecordError) -> Result<(), WindowError> {
        self.bad_games += 1;
        let (count, allowed) = (self.bad_games, self.settings.max_bad_games);
        if count > allowed {
            return Err(WindowError::BadGames { count, allowed, key: key.to_owned(), source });
        }
        Ok(())
    }
}
