//! A trainer's steps, candidates and checkpoints.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

use keiko_network::{Learner, StepError};
use keiko_replay::{Batch, IngestLog, Sampler, Window, seed};
use keiko_store::Store;

use super::clock::Clock;
use crate::batches::Batches;
use crate::candidates::{self, Trained};
use crate::checkpoint::{self, Contents};
use crate::epoch::Epoch;
use crate::event::{Candidate, CheckpointReport, Event, NotFinite, WindowReport};
use crate::held_out::{Frequencies, Measurement};
use crate::journal::{self, Journal};
use crate::progress::{LearningRate, Progress};
use crate::{Setup, TrainError};

/// All but the window, which batches are drawn from meanwhile.
#[derive(Debug)]
pub(super) struct State<'s> {
    pub(super) store: &'s dyn Store,
    pub(super) setup: Setup,
    pub(super) epoch: Epoch,
    pub(super) learner: Learner,
    pub(super) progress: Progress,
    /// The step of the last checkpoint of this epoch.
    pub(super) saved: Option<u64>,
}

impl State<'_> {
    /// The step at which the current generation ends.
    pub(super) fn end_step(&self, window: &Window) -> u64 {
        let settings = &self.setup.settings;
        let most = self.progress.generation_start + settings.max_steps_per_generation;
        window.allowed_steps(settings.batch_rows).min(most)
    }

    pub(super) fn window_report(&self, window: &Window, end_step: u64) -> WindowReport {
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
    pub(super) fn steps(
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

    /// Ends the generation: measures its candidate, writes the checkpoint that knows of it, and enters
    /// it.
    pub(super) fn finish(
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
        let candidate = candidates::propose(self.store, &self.setup, &trained)?;
        journal.emit(&Event::Candidate(candidate.clone()))?;
        self.progress.candidate = Some(candidate.clone());
        self.save(journal)?;
        candidates::enter(self.store, &candidate)?;
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
