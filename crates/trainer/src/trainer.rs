//! The training loop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use keiko_model::Weights;
use keiko_network::{Learner, StepError};
use keiko_replay::{Batch, IngestLog, Sampler, Window, seed};
use keiko_store::Store;

use crate::batches::Batches;
use crate::candidates::{self, Trained};
use crate::checkpoint::{self, Contents};
use crate::epoch::Epoch;
use crate::event::{
    Candidate, CheckpointReport, DamagedCheckpoint, Event, NotFinite, Started, Timing, WindowReport,
};
use crate::held_out::{Frequencies, Measurement};
use crate::journal::{self, Journal};
use crate::progress::{LearningRate, Progress};
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

/// All but the window, which batches are drawn from meanwhile.
#[derive(Debug)]
struct State<'s> {
    store: &'s dyn Store,
    setup: Setup,
    epoch: Epoch,
    learner: Learner,
    progress: Progress,
    /// The step of the last checkpoint of this epoch.
    saved: Option<u64>,
}

impl<'s> Trainer<'s> {
    /// Claims the learner's epoch and goes on from the newest whole checkpoint, or starts from
    /// weights that follow from the seed.
    ///
    /// # Errors
    ///
    /// [`TrainError::Settings`] names a setting out of range, [`TrainError::Checkpoint`] and
    /// [`TrainError::Architecture`] a checkpoint of another net than the config's.
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

    /// The untrained net as candidate 0; nothing is done once there are candidates.
    ///
    /// # Errors
    ///
    /// If the store fails or another learner has taken over.
    pub fn initial_candidate(
        &self,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Candidate, TrainError> {
        let state = &self.state;
        if state.learner.steps() > 0
            && let Some(first) = candidates::candidates(state.store)?.into_iter().next()
        {
            return Ok(first);
        }
        state.epoch.check(state.store)?;
        let weights = initial_weights(&state.setup);
        let trained = Trained { weights: &weights, step: 0, rows: 0, entries: 0, shards: 0 };
        let candidate = candidates::enter(state.store, &state.setup, &trained)?;
        Journal::new(state.store, subscriber).emit(&Event::Candidate(candidate.clone()))?;
        Ok(candidate)
    }

    /// Trains the generation whose data are the first `entries` entries of the ingest log. `stop`
    /// ends it after the step at hand, with a checkpoint; asking again goes on.
    ///
    /// # Errors
    ///
    /// [`TrainError::Stale`] if another learner has taken over, [`TrainError::NotFinite`] if too
    /// many losses were not finite. A trainer that failed must be opened again.
    pub fn train(
        &mut self,
        entries: u32,
        stop: &AtomicBool,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Generation, TrainError> {
        let Self { window, state } = self;
        if entries == state.progress.entries
            && let Some(candidate) = &state.progress.candidate
        {
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

impl State<'_> {
    /// The step at which the current generation ends.
    fn end_step(&self, window: &Window) -> u64 {
        let settings = &self.setup.settings;
        let most = self.progress.generation_start + settings.max_steps_per_generation;
        window.allowed_steps(settings.batch_rows).min(most)
    }

    fn window_report(&self, window: &Window, end_step: u64) -> WindowReport {
        WindowReport {
            step: self.learner.steps(),
            entries: window.entries(),
            rows: window.rows(),
            held_out_rows: window.held_out_rows(),
            total_rows: window.total_rows(),
            bad_games: window.bad_games(),
            end_step,
        }
    }

    /// Takes all steps up to `end_step`; whether it was stopped before. The next batch is made
    /// while a step is computed.
    fn steps(
        &mut self,
        window: &Window,
        end_step: u64,
        stop: &AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<bool, TrainError> {
        let sampler = Sampler::new(self.setup.seed, self.setup.settings.batch_rows);
        let batches = Batches { window, sampler };
        let first = self.progress.batches;
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            scope.spawn(move || {
                let mut numbers = first..;
                while numbers.next().is_some_and(|number| sender.send(batches.get(number)).is_ok())
                {
                }
            });
            let mut clock = Clock::start();
            while self.learner.steps() < end_step {
                if stop.load(Ordering::Relaxed) {
                    self.save(journal)?;
                    return Ok(true);
                }
                let batch = receiver.recv().expect("the other thread sends until this one ends")?;
                self.step(&batch, &mut clock, journal)?;
                let step = self.learner.steps();
                let due = step.is_multiple_of(self.setup.settings.checkpoint_every_steps);
                // The end of the generation has its own checkpoint.
                if due && step < end_step && self.saved != Some(step) {
                    self.save(journal)?;
                }
            }
            Ok(false)
        })
    }

    /// Takes one step, or skips a batch whose loss is not finite.
    fn step(
        &mut self,
        batch: &Batch,
        clock: &mut Clock,
        journal: &mut Journal<'_>,
    ) -> Result<(), TrainError> {
        let settings = &self.setup.settings;
        let learning_rate = settings.learning_rate_at(self.learner.steps());
        let number = self.progress.batches;
        self.progress.batches += 1;
        let step = match self.learner.step(batch, learning_rate) {
            Ok(step) => step,
            Err(source @ StepError::NotFinite { .. }) => {
                self.progress.not_finite += 1;
                let count = self.progress.not_finite;
                let step = self.learner.steps();
                journal.emit(&Event::NotFinite(NotFinite { step, batch: number, count }))?;
                let allowed = settings.max_not_finite;
                if count > allowed {
                    return Err(TrainError::NotFinite { count, allowed, source });
                }
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        clock.steps += 1;
        self.progress.interval.add(&step);
        let step = self.learner.steps();
        if step.is_multiple_of(settings.report_every_steps) {
            let rate = LearningRate { step, value: learning_rate };
            let report = self.progress.interval.report(rate, settings.value_loss_weight);
            journal.emit(&Event::Steps(report))?;
            journal.emit(&Event::Timing(clock.read(step, settings.batch_rows)))?;
        }
        Ok(())
    }

    /// Ends the generation: measures and enters its candidate, then writes the checkpoint that
    /// knows of it.
    fn finish(
        &mut self,
        window: &Window,
        journal: &mut Journal<'_>,
    ) -> Result<Candidate, TrainError> {
        self.epoch.check(self.store)?;
        let settings = &self.setup.settings;
        let step = self.learner.steps();
        let count = settings.norm_refresh_batches;
        let norm_seed = seed::derive(self.setup.seed, "norms", 0);
        let refresh = Batches { window, sampler: Sampler::new(norm_seed, settings.batch_rows) };
        let batches =
            (0..count).map(|i| refresh.get(step * count + i)).collect::<Result<Vec<_>, _>>()?;
        let weights = self.learner.averaged_weights(&batches)?;
        let measurement = Measurement {
            setup: &self.setup,
            window,
            frequencies: Frequencies::of(&batches),
            search_value: refresh.search_value(self.progress.batches),
        };
        if let Some(report) = measurement.measure(&weights, step)? {
            journal.emit(&Event::HeldOut(report))?;
        }
        let trained = Trained {
            weights: &weights,
            step,
            rows: step * settings.batch_rows as u64,
            entries: self.progress.entries,
            shards: self.shards()?,
        };
        let candidate = candidates::enter(self.store, &self.setup, &trained)?;
        journal.emit(&Event::Candidate(candidate.clone()))?;
        self.progress.candidate = Some(candidate.clone());
        self.save(journal)?;
        Ok(candidate)
    }

    /// Shards that have entered the window so far.
    fn shards(&self) -> Result<u64, TrainError> {
        let log = IngestLog::new(self.store);
        let mut shards = 0;
        for number in 0..self.progress.entries {
            shards += log.read(number)?.shards.len() as u64;
        }
        Ok(shards)
    }

    /// Writes a checkpoint and deletes old ones.
    fn save(&mut self, journal: &mut Journal<'_>) -> Result<(), TrainError> {
        let step = self.learner.steps();
        if self.saved == Some(step) && self.progress.candidate.is_none() {
            return Ok(());
        }
        self.epoch.check(self.store)?;
        let contents = Contents {
            epoch: self.epoch.number(),
            step,
            metrics_bytes: journal::sync_metrics(self.store)?,
            architecture: &self.setup.architecture,
            progress: &self.progress,
            state: &self.learner.state()?,
            weights: &self.learner.weights()?.write_safetensors(),
        };
        let checkpoint = checkpoint::write(self.store, &contents)?;
        self.saved = Some(step);
        checkpoint::prune(self.store, self.setup.settings.keep_checkpoints)?;
        journal.emit(&Event::Checkpoint(CheckpointReport { checkpoint, step }))?;
        Ok(())
    }
}

/// The weights that a run starts from.
fn initial_weights(setup: &Setup) -> Weights {
    Weights::initial(&setup.architecture, seed::derive(setup.seed, "weights", 0))
}

/// Measures how long steps take.
#[derive(Debug)]
struct Clock {
    start: Instant,
    steps: u64,
}

impl Clock {
    fn start() -> Self {
        Self { start: Instant::now(), steps: 0 }
    }

    /// The time since the start or the last reading, in which `self.steps` steps were taken.
    fn read(&mut self, step: u64, batch_rows: usize) -> Timing {
        let Self { start, steps } = std::mem::replace(self, Self::start());
        let seconds = start.elapsed().as_secs_f64();
        let rows_per_second = (steps * batch_rows as u64) as f64 / seconds;
        Timing { step, steps, seconds, rows_per_second }
    }
}
