//! A trainer's steps, candidates and checkpoints.

use std::sync::atomic::{AtomicBool, Ordering};

use keiko_network::{Learner, StepError};
use keiko_replay::Batch;
use keiko_store::Store;

use super::clock::Clock;
use crate::candidates::{self, Trained, initial_weights};
use crate::checkpoint::{self, Contents};
use crate::epoch::Epoch;
use crate::event::{Candidate, CheckpointReport, DamagedCheckpoint, Event, NotFinite, Started};
use crate::held_out::{Frequencies, Measurement};
use crate::journal::{self, Journal};
use crate::progress::{DataProgress, LearningRate, Progress};
use crate::{Setup, TrainError};

/// A batch, unless there are no more, and the place after it where batches come from files.
#[derive(Debug)]
pub(crate) struct Next {
    pub(crate) batch: Option<Batch>,
    pub(crate) data: Option<DataProgress>,
}

/// How steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// All were taken.
    Taken,
    /// A stop was asked for; a checkpoint holds those that were.
    Stopped,
    /// There were no more batches.
    NoMore,
}

/// What the end of a generation needs of its data.
pub(crate) struct Material<'m> {
    /// Batches from which the norms' statistics are taken.
    pub(crate) norms: Vec<Batch>,
    /// Rows that the candidate is measured on.
    pub(crate) held_out: &'m mut dyn Iterator<Item = Batch>,
    /// Shards, or files, that it was trained on.
    pub(crate) shards: u64,
}

/// All but the data, which batches are drawn from meanwhile.
#[derive(Debug)]
pub(crate) struct State<'s> {
    pub(crate) store: &'s dyn Store,
    pub(crate) setup: Setup,
    epoch: Epoch,
    pub(crate) learner: Learner,
    pub(crate) progress: Progress,
    /// The step of the last checkpoint of this epoch.
    saved: Option<u64>,
}

impl<'s> State<'s> {
    /// Claims the learner's epoch and goes on from the newest whole checkpoint, or starts from weights that follow from
    /// the seed.
    pub(crate) fn open(
        store: &'s dyn Store,
        setup: Setup,
        subscriber: &mut dyn FnMut(&Event),
    ) -> Result<Self, TrainError> {
        setup.settings.check()?;
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
        let call = setup.asks("loading the net in training");
        let mut learner =
            Learner::new(&setup.architecture, &weights, setup.settings.learner(setup.seed))?;
        let (mut progress, mut metrics_bytes, mut key) = (Progress::default(), 0, None);
        if let Some(restored) = newest {
            let checkpoint = restored.key;
            if restored.checkpoint.architecture != setup.architecture {
                return Err(TrainError::Architecture { checkpoint });
            }
            let (has, needs) = (restored.checkpoint.heads, setup.settings.heads.heads());
            if has != needs {
                return Err(TrainError::heads(checkpoint, &has, &needs));
            }
            if let Err(source) = learner.restore(&restored.state) {
                return Err(TrainError::Checkpoint { checkpoint, source });
            }
            progress = restored.checkpoint.progress;
            metrics_bytes = restored.checkpoint.metrics_bytes;
            key = Some(checkpoint);
        }
        drop(call);
        journal::cut_metrics(store, metrics_bytes)?;
        let step = learner.steps();
        journal.emit(&Event::Started(Started { epoch: epoch.number(), step, checkpoint: key }))?;
        Ok(Self { store, setup, epoch, learner, progress, saved: None })
    }

    /// Fails if another learner has taken over.
    pub(crate) fn check_claim(&self) -> Result<(), TrainError> {
        self.epoch.check(self.store)
    }

    /// Begins the generation of `entries`.
    pub(crate) fn begin(&mut self, entries: u32) {
        self.progress.entries = entries;
        self.progress.generation_start = self.learner.steps();
        self.progress.candidate = None;
    }

    /// Takes all steps up to `end_step` with batches as `next` gives them, the place after each in files with it.
    pub(crate) fn steps(
        &mut self,
        end_step: u64,
        next: &mut dyn FnMut() -> Result<Next, TrainError>,
        stop: &AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<Steps, TrainError> {
        let mut clock = Clock::start();
        while self.learner.steps() < end_step {
            if stop.load(Ordering::Relaxed) {
                self.save(journal)?;
                return Ok(Steps::Stopped);
            }
            let Next { batch, data } = next()?;
            self.progress.data = data.or(self.progress.data);
            let Some(batch) = batch else { return Ok(Steps::NoMore) };
            self.step(&batch, &mut clock, journal)?;
            let step = self.learner.steps();
            let due = step.is_multiple_of(self.setup.settings.checkpoint_every_steps);
            // The end of the generation has its own checkpoint.
            if due && step < end_step && self.saved != Some(step) {
                self.save(journal)?;
            }
        }
        Ok(Steps::Taken)
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
        let call = self.setup.asks("a training step");
        let result = clock.time(|| self.learner.step(batch, learning_rate));
        drop(call);
        let step = match result {
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
            let report = self.progress.interval.report(rate, &settings.loss_weights());
            journal.emit(&Event::Steps(report))?;
            journal.emit(&Event::Timing(clock.read(step, settings.batch_rows)))?;
        }
        Ok(())
    }

    /// Ends the generation: measures its candidate on the rows that `material` holds out, writes the checkpoint that
    /// knows of it, and enters it.
    pub(crate) fn finish(
        &mut self,
        material: Material<'_>,
        journal: &mut Journal<'_>,
    ) -> Result<Candidate, TrainError> {
        self.epoch.check(self.store)?;
        let settings = &self.setup.settings;
        let step = self.learner.steps();
        let call = self.setup.asks("taking norm statistics");
        let norms = material.norms.iter().inspect(|_| call.came_on());
        let weights = self.learner.averaged_weights(norms)?;
        drop(call);
        let frequencies = Frequencies::of(&material.norms);
        let measurement = Measurement { setup: &self.setup, frequencies };
        if let Some(report) = measurement.measure(material.held_out, &weights, step)? {
            journal.emit(&Event::HeldOut(report))?;
        }
        let trained = Trained {
            weights: &weights,
            step,
            rows: step * settings.batch_rows as u64,
            entries: self.progress.entries,
            shards: material.shards,
        };
        let candidate = candidates::propose(self.store, &self.setup, &trained)?;
        journal.emit(&Event::Candidate(candidate.clone()))?;
        self.progress.candidate = Some(candidate.clone());
        self.save(journal)?;
        candidates::enter(self.store, &candidate)?;
        Ok(candidate)
    }

    /// Writes a checkpoint and deletes old ones.
    fn save(&mut self, journal: &mut Journal<'_>) -> Result<(), TrainError> {
        let step = self.learner.steps();
        if self.saved == Some(step) && self.progress.candidate.is_none() {
            return Ok(());
        }
        self.epoch.check(self.store)?;
        let call = self.setup.asks("reading the net in training");
        let state = self.learner.state()?;
        let weights = self.learner.weights()?.write_safetensors();
        drop(call);
        let contents = Contents {
            epoch: self.epoch.number(),
            step,
            metrics_bytes: journal::sync_metrics(self.store)?,
            architecture: &self.setup.architecture,
            heads: self.setup.settings.heads.heads(),
            progress: &self.progress,
            state: &state,
            weights: &weights,
        };
        let checkpoint = checkpoint::write(self.store, &contents)?;
        self.saved = Some(step);
        checkpoint::prune(self.store, self.setup.settings.keep_checkpoints)?;
        journal.emit(&Event::Checkpoint(CheckpointReport { checkpoint, step }))?;
        Ok(())
    }
}
