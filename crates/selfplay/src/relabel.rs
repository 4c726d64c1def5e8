//! Searches of stored games made anew.

use std::sync::atomic::{AtomicBool, Ordering};

use keiko_inference::{Backend, BackendError, Context, RequestBatch};
use keiko_mcts::{
    ApplyError, BeginError, Evaluation, LeafId, Noise, Search, SearchLimit, SearchSettings,
    Selection,
};
use keiko_replay::{GameRecord, PlyRecord, RecordError as StoredError, SearchKind, seed};

use crate::record::{RecordError, root_visits, stored_policy, stored_wdl};

/// How stored games are searched anew.
#[derive(Debug, Clone, Copy)]
pub struct Relabel<'a> {
    /// Id of the model that searches.
    pub model: &'a str,
    /// How it searches; without noise.
    pub search: &'a SearchSettings,
    /// Simulations of a full search, and the most of a fast one; 0 makes nothing anew but the net's own policy and value.
    pub simulations: u32,
    /// Rows of every batch after padding, and games that are searched at the same time, at least 1.
    pub batch_shape: usize,
}

/// Why a game could not be searched anew.
#[derive(Debug, thiserror::Error)]
pub enum RelabelError {
    /// The start position is none.
    #[error("game {index} of {stream}: {source}")]
    Start {
        /// The game's stream.
        stream: String,
        /// Its number there.
        index: u64,
        /// What is wrong.
        source: StoredError,
    },
    /// A game goes on after its end.
    #[error("game {index} of {stream}: {source}")]
    Begin {
        /// The game's stream.
        stream: String,
        /// Its number there.
        index: u64,
        /// What is wrong.
        source: BeginError,
    },
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The backend answered nonsense.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// What a search found cannot be stored.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A search waits for an evaluation that nobody makes.
    #[error("a search found no leaf")]
    Stalled,
}

/// Work done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Relabelled {
    /// Games whose searches were made anew.
    pub games: u64,
    /// Plies of them that were.
    pub plies: u64,
    /// Positions that were evaluated.
    pub evaluations: u64,
}

/// Searches anew the games that `next` gives, many at a time, and hands each to `done` with what came with it, in the order
/// in which they are finished. Moves, kinds of search, result and origin stay; policies, values and visits of the plies that
/// had been searched become those of the model. A record's models still name who searched it before. A game's bytes are a
/// function of its record, the model and the settings, whatever the others are.
///
/// When `stop` becomes true, games that are not finished are dropped.
///
/// # Errors
/// When a game is none by its rules, or the backend fails.
pub fn relabel<T, B: Backend>(
    how: &Relabel<'_>,
    backend: &mut B,
    next: &mut dyn FnMut() -> Option<(T, GameRecord)>,
    done: &mut dyn FnMut(T, GameRecord, Relabelled),
    stop: &AtomicBool,
) -> Result<(), RelabelError> {
    let mut slots: Vec<Option<Slot<T>>> = (0..how.batch_shape.max(1)).map(|_| None).collect();
    let mut batch = RequestBatch::new_for(backend, slots.len());
    let mut owners: Vec<(usize, LeafId)> = Vec::new();
    let mut work = Relabelled::default();
    while !stop.load(Ordering::Relaxed) {
        for (index, place) in slots.iter_mut().enumerate() {
            loop {
                if place.is_none() {
                    let Some((tag, record)) = next() else { break };
                    *place = Some(Slot::begin(how, tag, record, backend.encoding())?);
                }
                let Some(slot) = place.as_mut() else { break };
                match slot.advance(how, &mut work.plies)? {
                    State::Searching => {}
                    State::Over => {
                        work.games += 1;
                        if let Some(Slot { tag, record, .. }) = place.take() {
                            done(tag, record, std::mem::take(&mut work));
                        }
                        continue;
                    }
                }
                let context = Context { draw_values: slot.record.draw_values };
                match slot.search.select() {
                    Selection::Leaf(leaf) => {
                        batch.push(leaf.game, leaf.moves, &context);
                        owners.push((index, leaf.id));
                        break;
                    }
                    Selection::Done => slot.is_done = true,
                    Selection::Wait => return Err(RelabelError::Stalled),
                }
            }
        }
        if owners.is_empty() {
            return Ok(());
        }
        work.evaluations += owners.len() as u64;
        let response = backend.evaluate(batch)?;
        for (row, (index, leaf)) in owners.drain(..).enumerate() {
            let evaluation =
                Evaluation { logits: response.logits_of(row), wdl: response.wdl()[row] };
            if let Some(slot) = &mut slots[index] {
                slot.search.apply(leaf, &evaluation)?;
            }
        }
        batch = response.into_request();
        batch.clear();
    }
    Ok(())
}

/// A game that is being searched.
struct Slot<T> {
    tag: T,
    record: GameRecord,
    /// Index of the model in the record.
    model: u16,
    search: Search,
    /// The ply at which the search stands.
    ply: usize,
    /// Whether the search of this ply has begun.
    has_begun: bool,
    /// Whether it is at its end.
    is_done: bool,
}

/// What is to be done for a game.
enum State {
    /// A search is under way.
    Searching,
    /// All plies are done.
    Over,
}

impl<T> Slot<T> {
    fn begin(
        how: &Relabel<'_>,
        tag: T,
        mut record: GameRecord,
        encoding: keiko_inference::EncodingId,
    ) -> Result<Self, RelabelError> {
        let game = record.start_game().map_err(|source| {
            let (stream, index) = (record.stream.clone(), record.index);
            RelabelError::Start { stream, index, source }
        })?;
        let known = record.models.iter().position(|model| model == how.model);
        let model = known.unwrap_or(record.models.len());
        if known.is_none() {
            record.models.push(how.model.to_owned());
        }
        record.encoding = encoding;
        let mut settings = *how.search;
        settings.stop.decided = false;
        let seed = seed::derive(record.seed, "relabel", 0);
        let search = Search::new(game, &settings, record.draw_values, seed);
        let model = u16::try_from(model).unwrap_or(u16::MAX);
        Ok(Self { tag, record, model, search, ply: 0, has_begun: false, is_done: false })
    }

    /// Puts down what a finished search found, and begins the next one.
    fn advance(&mut self, how: &Relabel<'_>, plies: &mut u64) -> Result<State, RelabelError> {
        if self.is_done {
            self.store(how.simulations)?;
            *plies += 1;
            self.play();
        }
        while let Some(ply) = self.record.plies.get(self.ply) {
            if self.has_begun {
                return Ok(State::Searching);
            }
            if ply.search == SearchKind::None {
                self.play();
                continue;
            }
            let simulations = match ply.search {
                SearchKind::Fast => how.simulations.min(ply.root_visits.saturating_sub(1)),
                _ => how.simulations,
            };
            self.search.begin(SearchLimit { simulations, noise: Noise::Off }).map_err(
                |source| {
                    let (stream, index) = (self.record.stream.clone(), self.record.index);
                    RelabelError::Begin { stream, index, source }
                },
            )?;
            self.has_begun = true;
        }
        Ok(State::Over)
    }

    fn play(&mut self) {
        self.search.advance(self.record.plies[self.ply].mv);
        self.ply += 1;
        (self.has_begun, self.is_done) = (false, false);
    }

    fn store(&mut self, simulations: u32) -> Result<(), RelabelError> {
        let number = self.ply;
        let summary = self.search.summary();
        let is_full = self.record.plies[number].search == SearchKind::Full;
        let ply: &mut PlyRecord = &mut self.record.plies[number];
        ply.raw_wdl = stored_wdl(number, summary.raw_wdl)?;
        ply.raw_policy = stored_policy(number, &summary, |root_move| root_move.prior)?;
        if simulations > 0 {
            ply.model = self.model;
            ply.root_wdl = stored_wdl(number, summary.wdl)?;
            ply.root_visits = root_visits(&summary);
            if is_full {
                ply.policy = stored_policy(number, &summary, |root_move| root_move.policy)?;
            }
        }
        Ok(())
    }
}
