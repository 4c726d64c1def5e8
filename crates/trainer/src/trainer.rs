//! The training loop.

mod clock;
mod state;

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;

use keiko_replay::{Batch, IngestLog, Sampler, Window, seed};
use keiko_store::Store;

pub(crate) use self::state::{Material, Next, State, Steps};
use crate::batches::Batches;
use crate::candidates;
use crate::event::{Candidate, Evenness, Event, WindowReport};
use crate::journal::Journal;
use crate::{Branch, Setup, TrainError};

/// Trains the net of a run, one generation after another.
///
/// A generation brings the window forward to a place in the ingest log, takes the steps that the
/// data allow, and ends with a candidate and a checkpoint. Killed at any moment and opened again, a
/// trainer that is asked for the same generations does what it would have done: the same weights,
/// candidates and metrics.
#[derive(Debug)]
pub struct Trainer<'s> {
    window: Window,
    state: State<'s>,
}

/// What a generation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generation {
    /// It is finished: a candidate awaits the gate.
    Finished(Candidate),
    /// The data allow no step yet.
    Waiting,
    /// It was stopped on request; a checkpoint holds all steps taken.
    Stopped,
}

impl<'s> Trainer<'s> {
    /// Claims the learner's epoch and goes on from the newest whole checkpoint, or starts from
    /// weights that follow from the seed.
    ///
    /// # Errors
    ///
    /// [`TrainError::Settings`] names a setting out of range, [`TrainError::Checkpoint`] and
    /// [`TrainError::Architecture`] a checkpoint of another net than the config's;
    /// [`TrainError::NoCheckpoint`] if a run that has come far has none left.
    pub fn open(
        store: &'s dyn Store,
        setup: Setup,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Self, TrainError> {
        let window = Window::new(setup.replay.clone(), setup.architecture.encoding)?;
        let state = State::open(store, setup, subscriber)?;
        Ok(Self { window, state })
    }

    /// Steps taken in the whole run.
    pub fn steps(&self) -> u64 {
        self.state.learner.steps()
    }

    /// Entries of the ingest log that the last generation trained on.
    pub fn entries(&self) -> u32 {
        self.state.progress.entries
    }

    /// Makes sure that no other learner has taken over.
    ///
    /// # Errors
    ///
    /// [`TrainError::Stale`] if one has.
    pub fn check_claim(&self) -> Result<(), TrainError> {
        self.state.check_claim()
    }

    /// Enters the finished shards that are not in the ingest log, as [`ingest_pending`](crate::ingest_pending), unless
    /// another learner has taken over.
    ///
    /// # Errors
    ///
    /// [`TrainError::Stale`] if one has; see [`ingest_pending`](crate::ingest_pending).
    pub fn ingest_pending(&self) -> Result<u32, TrainError> {
        self.check_claim()?;
        Ok(crate::ingest_pending(self.state.store)?)
    }

    /// Trains the generation whose data are the first `entries` entries of the ingest log. `stop`
    /// ends it after the step at hand, with a checkpoint; asking again goes on.
    ///
    /// # Errors
    ///
    /// [`TrainError::Stale`] if another learner has taken over, [`TrainError::NotFinite`] if too
    /// many losses were not finite, [`TrainError::Backwards`] for data before those trained on. A
    /// trainer that failed must be opened again.
    pub fn train(
        &mut self,
        entries: u32,
        stop: &AtomicBool,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Generation, TrainError> {
        let Self { window, state } = self;
        let have = state.progress.entries;
        if entries < have {
            return Err(TrainError::Backwards { have, asked: entries });
        }
        if entries == state.progress.entries
            && let Some(candidate) = &state.progress.candidate
        {
            candidates::enter(state.store, candidate)?;
            return Ok(Generation::Finished(candidate.clone()));
        }
        window.advance(state.store, entries)?;
        let mut journal = Journal::new(state.store, subscriber);
        let is_new = entries != state.progress.entries;
        if is_new {
            state.begin(entries);
        }
        let end_step = end_step(state, window)?;
        if end_step <= state.progress.generation_start {
            return Ok(Generation::Waiting);
        }
        if is_new {
            journal.emit(&Event::Window(window_report(state, window, end_step)))?;
        }
        if take_steps(state, window, end_step, stop, &mut journal)? == Steps::Stopped {
            return Ok(Generation::Stopped);
        }
        Ok(Generation::Finished(finish(state, window, &mut journal)?))
    }
}

/// The step at which the current generation ends.
fn end_step(state: &State<'_>, window: &Window) -> Result<u64, TrainError> {
    let Setup { settings, branch, .. } = &state.setup;
    let most = state.progress.generation_start + settings.max_steps_per_generation;
    let allowed = window.allowed_steps(settings.batch_rows);
    match branch {
        // A net that begins here takes all steps that the games of the run before allow.
        Some(Branch { weights: None, .. }) if window.entries() == 1 => Ok(allowed),
        Some(Branch { rows, .. }) if window.entries() > 1 => {
            let first = candidates::candidates(state.store)?.first().map_or(0, |first| first.step);
            let of_origin = window.steps_of(*rows, settings.batch_rows);
            Ok((first + allowed.saturating_sub(of_origin)).min(most))
        }
        _ => Ok(allowed.min(most)),
    }
}

fn window_report(state: &State<'_>, window: &Window, end_step: u64) -> WindowReport {
    WindowReport {
        step: state.learner.steps(),
        entries: window.entries(),
        rows: window.rows(),
        held_out_rows: window.held_out_rows(),
        total_rows: window.total_rows(),
        bad_games: window.bad_games(),
        evenness: evenness(window),
        end_step,
    }
}

/// How unevenly rows are drawn, where surprise weighs.
fn evenness(window: &Window) -> Option<Evenness> {
    (window.settings().surprise_weight > 0.0).then(|| {
        let (effective_rows, most_uses) = window.evenness();
        Evenness { effective_rows, most_uses }
    })
}

/// Takes all steps up to `end_step`, unless it is stopped before. The next batch is made while a step is computed.
fn take_steps(
    state: &mut State<'_>,
    window: &Window,
    end_step: u64,
    stop: &AtomicBool,
    journal: &mut Journal<'_>,
) -> Result<Steps, TrainError> {
    let settings = &state.setup.settings;
    let sampler = Sampler::new(state.setup.seed, settings.batch_rows);
    let make = if settings.needs_ahead() { Batch::with_ahead } else { Batch::new };
    let batches = Batches { window, sampler, make };
    let first = state.progress.batches;
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || {
            let mut numbers = first..;
            while numbers.next().is_some_and(|number| sender.send(batches.get(number)).is_ok()) {}
        });
        let mut next = || {
            let batch = receiver.recv().expect("the other thread sends until this one ends")?;
            Ok(Next { batch: Some(batch), data: None })
        };
        state.steps(end_step, &mut next, stop, journal)
    })
}

fn finish(
    state: &mut State<'_>,
    window: &Window,
    journal: &mut Journal<'_>,
) -> Result<Candidate, TrainError> {
    let settings = &state.setup.settings;
    let (step, batch_rows) = (state.learner.steps(), settings.batch_rows);
    let count = settings.norm_refresh_batches;
    let norm_seed = seed::derive(state.setup.seed, "norms", 0);
    let sampler = Sampler::new(norm_seed, batch_rows);
    let refresh = Batches { window, sampler, make: Batch::new };
    let norms = (0..count).map(|i| refresh.get(step * count + i)).collect::<Result<_, _>>()?;
    let search_value = refresh.search_value(state.progress.batches);
    let rows = Sampler::new(0, settings.held_out_rows).held_out_rows(window);
    let mut held_out = rows.chunks(batch_rows).map(|rows| Batch::new(window, rows, search_value));
    let shards = shards(state)?;
    state.finish(Material { norms, held_out: &mut held_out, shards }, journal)
}

/// Shards that have entered the window so far.
fn shards(state: &State<'_>) -> Result<u64, TrainError> {
    let log = IngestLog::new(state.store);
    let mut shards = 0;
    for number in 0..state.progress.entries {
        shards += log.read(number)?.shards.len() as u64;
    }
    Ok(shards)
}
