//! Training from files instead of a window.

mod draw;

use std::sync::atomic::AtomicBool;

use keiko_replay::Batch;
use keiko_replay::data::{DataCounts, DataSet, Draw, Pool, PoolReader};
use keiko_replay::seed::derive;
use keiko_store::Store;

use self::draw::{Source, draw};
use crate::candidates;
use crate::event::{Candidate, DataReport, Event};
use crate::journal::Journal;
use crate::trainer::{Material, State, Steps};
use crate::{Setup, TrainError};

/// Held-out rows are chosen among so many times as many, so that they come from many places of large files.
const HELD_OUT_CHOICE: u64 = 8;

/// Trains the net of a run on files.
///
/// A generation ends after `trainer.max_steps_per_generation` steps and at the end of all, with a candidate and a
/// checkpoint. Killed at any moment and opened again with the same files, it does what it would have done: the same
/// batches, weights, candidates and metrics.
#[derive(Debug)]
pub struct Study<'s> {
    state: State<'s>,
    lessons: Lessons,
    held_out: Option<Pool>,
}

/// What is learnt from, and for how long.
#[derive(Debug)]
pub struct Lessons {
    /// The files.
    pub files: DataSet,
    /// Files that are only measured on.
    pub held_out: Option<DataSet>,
    /// Times that all files are read; `None` for no end.
    pub epochs: Option<u32>,
    /// Steps after which it ends in any case.
    pub steps: Option<u64>,
}

/// How a study ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Studied {
    /// All is learnt; the newest candidate.
    Finished(Candidate),
    /// It was stopped on request; a checkpoint holds all steps taken.
    Stopped,
}

impl<'s> Study<'s> {
    /// Claims the learner's epoch and goes on from the newest whole checkpoint, or starts from weights that follow from
    /// the seed.
    ///
    /// # Errors
    ///
    /// As [`Trainer::open`](crate::Trainer::open); [`TrainError::Settings`] also names a head that cannot be learnt from
    /// files; [`TrainError::Data`] if the held-out files cannot be read.
    pub fn open(
        store: &'s dyn Store,
        setup: Setup,
        lessons: Lessons,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Self, TrainError> {
        setup.settings.check_for_files()?;
        let state = State::open(store, setup, subscriber)?;
        let held_out = match &lessons.held_out {
            None => None,
            Some(set) => {
                let settings = &state.setup.settings;
                let shuffle_rows = (settings.held_out_rows as u64).saturating_mul(HELD_OUT_CHOICE);
                let draw =
                    Draw { seed: 0, mirror: false, shuffle_rows, batch_rows: 1, ..plain(&state) };
                PoolReader::new(set, draw, None)?.next_pool()?
            }
        };
        Ok(Self { state, lessons, held_out })
    }

    /// Steps taken in the whole run.
    pub fn steps(&self) -> u64 {
        self.state.learner.steps()
    }

    /// What was read for the batches so far.
    pub fn counts(&self) -> DataCounts {
        self.state.progress.data.map(|data| data.counts).unwrap_or_default()
    }

    /// Trains to the end, or until a `stop` is asked for.
    ///
    /// # Errors
    ///
    /// [`TrainError::Data`] names the file and the record, [`TrainError::Stale`] and [`TrainError::NotFinite`] are as
    /// those of [`Trainer::train`](crate::Trainer::train). A study that failed must be opened again.
    pub fn train(
        &mut self,
        stop: &AtomicBool,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Studied, TrainError> {
        let Self { state, lessons, held_out } = self;
        let mut journal = Journal::new(state.store, subscriber);
        let source = Source {
            set: &lessons.files,
            draw: Draw { epochs: lessons.epochs, ..plain(state) },
            cursor: state.progress.data.map(|data| data.cursor),
            first_batch: state.progress.batches,
            search_value: state.setup.replay.search_value,
        };
        draw(source, |next| {
            loop {
                if let Some(candidate) = &state.progress.candidate {
                    candidates::enter(state.store, candidate)?;
                }
                let step = state.learner.steps();
                if lessons.steps.is_some_and(|steps| step >= steps)
                    && let Some(candidate) = &state.progress.candidate
                {
                    return Ok(Studied::Finished(candidate.clone()));
                }
                let before = state.progress.candidate.clone();
                if before.is_some() || state.progress.entries == 0 {
                    state.begin(state.progress.entries + 1);
                }
                let start = state.progress.generation_start;
                let most = start + state.setup.settings.max_steps_per_generation;
                let end_step = lessons.steps.map_or(most, |steps| steps.min(most));
                let steps = state.steps(end_step, next, stop, &mut journal)?;
                if steps == Steps::Stopped {
                    return Ok(Studied::Stopped);
                }
                if state.learner.steps() == start
                    && let Some(candidate) = before
                {
                    return Ok(Studied::Finished(candidate));
                }
                let candidate = finish(state, lessons, held_out.as_ref(), &mut journal)?;
                if steps == Steps::NoMore {
                    return Ok(Studied::Finished(candidate));
                }
            }
        })
    }
}

/// How rows are drawn, without an end.
fn plain(state: &State<'_>) -> Draw {
    let replay = &state.setup.replay;
    Draw {
        seed: state.setup.seed,
        batch_rows: state.setup.settings.batch_rows,
        shuffle_rows: replay.data.shuffle_rows,
        mirror: replay.mirror,
        epochs: None,
        encoding: state.setup.architecture.encoding,
    }
}

fn finish(
    state: &mut State<'_>,
    lessons: &Lessons,
    held_out: Option<&Pool>,
    journal: &mut Journal<'_>,
) -> Result<Candidate, TrainError> {
    let settings = &state.setup.settings;
    let step = state.learner.steps();
    let count = settings.norm_refresh_batches;
    let search_value = state.setup.replay.search_value.at(state.progress.batches, u32::MAX);
    let norms = norms(state, &lessons.files, count, search_value)?;
    let measured = held_out.map_or_else(Vec::new, |pool| {
        pool.some(settings.held_out_rows, settings.batch_rows, search_value)
    });
    let data = state.progress.data;
    let counts = data.map(|data| data.counts).unwrap_or_default();
    let epoch = data.map_or(0, |data| data.cursor.epoch);
    journal.emit(&Event::Data(DataReport { step, epoch, counts }))?;
    let shards = lessons.files.files().len() as u64;
    let held_out = &mut measured.into_iter();
    state.finish(Material { norms, held_out, shards }, journal)
}

/// Batches that follow from the seed and the step, for the statistics of norms.
fn norms(
    state: &State<'_>,
    files: &DataSet,
    count: u64,
    search_value: f32,
) -> Result<Vec<Batch>, TrainError> {
    let plain = plain(state);
    let seed = derive(plain.seed, "norms", state.learner.steps());
    let shuffle_rows = count * plain.batch_rows as u64;
    let mut reader = PoolReader::new(files, Draw { seed, shuffle_rows, ..plain }, None)?;
    let mut norms = Vec::new();
    while norms.is_empty() {
        let Some(pool) = reader.next_pool()? else { break };
        let batches = 0..pool.batches().min(count);
        norms = batches.map(|number| pool.batch(number, search_value).0).collect();
    }
    Ok(norms)
}
