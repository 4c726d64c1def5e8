//! Training on a generation's games.

use anyhow::bail;
use keiko_network::Device;
use keiko_replay::IngestLog;
use keiko_trainer::event::{Candidate, Event, StepsReport, Timing};
use keiko_trainer::{Generation, TensorBoard, Trainer};

use super::{Ended, Pipeline};
use crate::progress::Stage as Display;

/// The first games are too few to begin with.
pub(super) const NO_FIRST_STEP: &str = "the games of generation 0 allow no step of training: lower replay.window.min_rows or trainer.batch_rows, or \
     start a new run with more first_generation.games or a lower first_generation.fast_probability";

impl Pipeline<'_> {
    /// The candidates so far, one for each generation that has been trained.
    pub(super) fn candidates(&self) -> anyhow::Result<Vec<Candidate>> {
        Ok(keiko_trainer::candidates(self.run.store())?)
    }

    /// Trains on all games so far and leaves a candidate.
    pub(super) fn learn(&self, generation: u32) -> anyhow::Result<Ended> {
        self.check_entries()?;
        let entries = keiko_trainer::ingest_pending(self.run.store())?;
        let mut trainer = self.open_trainer()?;
        match self.train(&mut trainer, generation, entries, &[])? {
            Generation::Finished(_) => Ok(Ended::Complete),
            Generation::Stopped => Ok(Ended::Stopped),
            Generation::Waiting if generation == 0 => bail!(NO_FIRST_STEP),
            Generation::Waiting => bail!(
                "the games of generation {generation} allow no step of training: raise replay.max_uses_per_row, or \
                 lower trainer.batch_rows"
            ),
        }
    }

    /// Makes sure that the ingest log has what the candidates were trained on.
    pub(super) fn check_entries(&self) -> anyhow::Result<()> {
        let has = IngestLog::new(self.run.store()).len()?;
        let needs = self.candidates()?.last().map_or(0, |candidate| candidate.entries);
        if has < needs {
            bail!(
                "entry {has} of ingest is missing, which the newest candidate was trained on: put it back from a copy of the run"
            );
        }
        Ok(())
    }

    /// A trainer that goes on from the newest checkpoint.
    pub(super) fn open_trainer(&self) -> anyhow::Result<Trainer<'_>> {
        let mut board = self.board()?;
        let mut watch = |event: &Event| {
            board.record(event);
            if let Event::DamagedCheckpoint(damaged) = event {
                let (name, problem) = (&damaged.checkpoint, &damaged.problem);
                self.console
                    .line(&format!("checkpoint {name} is damaged ({problem}): using an older one"));
            }
        };
        Ok(Trainer::open(self.run.store(), self.run.training()?, &mut watch)?)
    }

    /// Trains the candidate of a generation, which is that of the first `entries` entries of the ingest log. The `figures`
    /// stand beside the time it takes.
    pub(super) fn train(
        &self,
        trainer: &mut Trainer<'_>,
        generation: u32,
        entries: u32,
        figures: &[(&str, f64)],
    ) -> anyhow::Result<Generation> {
        let mut board = self.board()?;
        let mut watcher = Watcher {
            display: self.display("training", generation, 0),
            device: self.run.config().trainer.device,
            start: 0,
            rows: 0,
            last: None,
        };
        let mut watch = |event: &Event| {
            board.record(event);
            watcher.see(event);
        };
        // After a fall back to an older checkpoint, what was trained since is trained again, as it was.
        let before = self.candidates()?.into_iter().map(|candidate| candidate.entries);
        let generations: Vec<u32> = before.filter(|&e| e >= trainer.entries()).collect();
        let mut trained = Generation::Waiting;
        for entries in generations.into_iter().filter(|&e| e < entries).chain([entries]) {
            // The trainer has cut the metrics back to what its checkpoint knows of, or has just ended an older
            // generation once more.
            self.complete_metrics()?;
            trained = trainer.train(entries, self.stop, &mut watch)?;
            if trained == Generation::Stopped {
                break;
            }
        }
        if let Generation::Finished(candidate) = &trained {
            self.plot_games(&mut board, generation, candidate.step)?;
            let uses = candidate.rows as f64 / watcher.rows.max(1) as f64;
            board.scalars(candidate.step, "window", &[("uses_per_row", uses)]);
            self.time("learn", generation, watcher.display.elapsed(), figures)?;
            watcher.finish(candidate);
        }
        Ok(trained)
    }

    /// Curves of the games that were trained on.
    fn plot_games(
        &self,
        board: &mut TensorBoard,
        generation: u32,
        step: u64,
    ) -> anyhow::Result<()> {
        let games = self.games(generation)?;
        let ends: Vec<(&str, f64)> = games.shares().collect();
        board.scalars(
            step,
            "games",
            &[
                ("mean_plies", games.mean_plies()),
                ("black_score", games.black_score),
                ("draw_rate", games.draw_rate),
                ("duplicates", games.duplicates as f64),
            ],
        );
        board.scalars(step, "ends", &ends);
        let starts = games.starts.iter().map(|(name, &count)| (name.as_str(), count as f64));
        board.scalars(step, "starts", &starts.collect::<Vec<_>>());
        let value = games.sennichite_value.map(|value| ("sennichite_value", f64::from(value)));
        board.scalars(step, "games", value.as_slice());
        let lessons = games.lessons.iter().map(|(name, &mean)| (name.as_str(), mean));
        board.scalars(step, "lessons", &lessons.collect::<Vec<_>>());
        for (class, resignations) in &games.resignations {
            board.scalars(step, &format!("resignations/{class}"), &resignations.figures());
        }
        board.flush();
        Ok(())
    }
}

/// Shows a trainer's events.
struct Watcher {
    display: Display,
    device: Device,
    start: u64,
    /// Rows made in the whole run.
    rows: u64,
    last: Option<StepsReport>,
}

impl Watcher {
    fn see(&mut self, event: &Event) {
        match event {
            Event::Window(window) => {
                self.start = window.step;
                self.rows = window.total_rows;
                self.display.set_total(window.end_step - window.step);
            }
            Event::Steps(report) => self.last = Some(report.clone()),
            // Comes after the losses of the same steps.
            Event::Timing(Timing { step, device_busy, .. }) => {
                let losses = self.last.as_ref().map(losses).unwrap_or_default();
                let (device, busy) = (self.device, 100.0 * device_busy);
                let text = format!("steps, {losses}, {device} busy {busy:.0} %");
                self.display.update(step.saturating_sub(self.start), &text);
            }
            _ => {}
        }
    }

    fn finish(self, candidate: &Candidate) {
        let losses = self.last.as_ref().map(|r| format!(", {}", losses(r))).unwrap_or_default();
        let Candidate { number, step, .. } = candidate;
        self.display.finish(&format!("candidate {number} after {step} steps{losses}"));
    }
}

fn losses(report: &StepsReport) -> String {
    format!(
        "policy loss {:.3} (least possible {:.3}), value loss {:.3}",
        report.policy_loss, report.policy_target_entropy, report.value_loss
    )
}
