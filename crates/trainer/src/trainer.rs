//! The training loop.

mod clock;
mod state;

use std::sync::atomic::AtomicBool;

use keiko_network::Learner;
use keiko_replay::Window;
use keiko_store::Store;

use self::state::State;
use crate::candidates::{self, initial_weights};
use crate::checkpoint;
use crate::epoch::Epoch;
use crate::event::{Candidate, DamagedCheckpoint, Event, Started};
use crate::journal::{self, Journal};
use crate::progress::Progress;
use crate::{Setup, TrainError};

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
        setup.settings.check()?;
        let window = Window::new(setup.replay.clone(), setup.architecture.encoding)?;
        let epoch = Epoch::claim(store)?;
        let mut journal = Journal::new(store, subscriber);
        let mut damaged = Vec::new();
        let newest = checkpoint::newest(store, |checkpoint, problem| {
            damaged.push(Event::DamagedCheckpoint(DamagedCheckpoint { checkpoint, problem }));
        })?;
        for event in &damaged {
            journal.emit(event)?;
        }
        let candidates = candidates::candidates(store)?.len();
        if newest.is_none() && candidates > 0 {
            return Err(TrainError::NoCheckpoint { candidates });
        }
        let weights = initial_weights(&setup);
        let mut learner = Learner::new(&setup.architecture, &weights, setup.settings.learner())?;
        let (mut progress, mut metrics_bytes, mut key) = (Progress::default(), 0, None);
        if let Some(restored) = newest {
            let checkpoint = restored.key;
            if restored.checkpoint.architecture != setup.architecture {
                return Err(TrainError::Architecture { checkpoint });
            }
            if let Err(source) = learner.restore(&restored.state) {
                return Err(TrainError::Checkpoint { checkpoint, source });
            }
            progress = restored.checkpoint.progress;
            metrics_bytes = restored.checkpoint.metrics_bytes;
            key = Some(checkpoint);
        }
        journal::cut_metrics(store, metrics_bytes)?;
        let step = learner.steps();
        journal.emit(&Event::Started(Started { epoch: epoch.number(), step, checkpoint: key }))?;
        let state = State { store, setup, epoch, learner, progress, saved: None };
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
            let start = state.learner.steps();
            state.progress.entries = entries;
            state.progress.generation_start = start;
            state.progress.candidate = None;
        }
        let end_step = state.end_step(window);
        if end_step <= state.progress.generation_start {
            return Ok(Generation::Waiting);
        }
        if is_new {
            journal.emit(&Event::Window(state.window_report(window, end_step)))?;
        }
        if state.steps(window, end_step, stop, &mut journal)? {
            return Ok(Generation::Stopped);
        }
        Ok(Generation::Finished(state.finish(window, &mut journal)?))
    }
}
