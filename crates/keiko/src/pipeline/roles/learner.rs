//! The learner's role.

use std::ops::Range;

use anyhow::bail;
use keiko_replay::IngestLog;
use keiko_trainer::Generation;

use super::super::learn::NO_FIRST_STEP;
use super::super::{Ended, Pipeline};
use super::queue::Queue;
use super::streams::Streams;
use super::waits::Waits;

impl Pipeline<'_> {
    /// Takes up the finished shards of all streams whenever there are the games of a generation, and trains on them.
    /// It alone writes the metrics, and so waits for the last verdict.
    pub(super) fn keep_learning(&self) -> anyhow::Result<Ended> {
        let config = self.run.config();
        let mut noted = self.verdicts_noted()?;
        if self.verdicts()? >= config.generations && noted >= config.generations {
            return Ok(Ended::Complete);
        }
        self.check_entries()?;
        if self.copy_games()? == Ended::Stopped {
            return Ok(Ended::Stopped);
        }
        let mut trainer = self.open_trainer()?;
        if self.run.origin().is_some() && IngestLog::new(self.run.store()).len()? == 0 {
            // Nobody plays before: the first entry is the games of the other run, and nothing else.
            trainer.ingest_pending()?;
        }
        noted = self.verdicts_noted()?;
        let mut queue = Queue::default();
        let mut waits = Waits::new(self, "training");
        // What a learner that was killed took up is trained on first.
        let mut trained = self.candidates()?.last().map_or(0, |candidate| candidate.entries);
        loop {
            trainer.check_claim()?;
            noted = self.add_verdicts(noted)?;
            let generation = self.candidates()?.len() as u32;
            if noted >= config.generations {
                return Ok(Ended::Complete);
            }
            if self.is_stopped() {
                return Ok(Ended::Stopped);
            }
            if generation >= config.generations {
                let to_come = generation - noted;
                waits.pass(
                    generation - 1,
                    "the gate",
                    &format!("{to_come} verdicts are to come"),
                )?;
                continue;
            }
            queue.look(self.run.store())?;
            let (there, wanted) = (queue.games(), config.games_of(generation));
            if queue.entries() == trained && there < wanted {
                waits.pass(generation, "games", &format!("{there} of {wanted} are there"))?;
                continue;
            }
            waits.over()?;
            if queue.entries() == trained {
                trainer.ingest_pending()?;
                queue.look(self.run.store())?;
            }
            let new = trained..queue.entries();
            trained = new.end;
            let figures = [
                ("learner_waited", waits.share()),
                ("queue_games", there as f64),
                ("staleness", self.staleness(new, generation)?),
            ];
            match self.train(&mut trainer, generation, trained, &figures)? {
                Generation::Finished(candidate) => {
                    self.board()?.scalars(candidate.step, "pipeline", &figures);
                }
                Generation::Stopped => return Ok(Ended::Stopped),
                Generation::Waiting if generation == 0 => bail!(NO_FIRST_STEP),
                Generation::Waiting => self.console.line(
                    "training: the games so far allow no step: raise replay.max_uses_per_row or lower \
                     trainer.batch_rows if more games do not help",
                ),
            }
        }
    }

    /// By how many candidates the games of some entries of the ingest log are older than the newest of `candidates`, on
    /// average: of each game it counts how many there are that its stream did not know.
    fn staleness(&self, entries: Range<u32>, candidates: u32) -> anyhow::Result<f64> {
        let (log, streams) = (IngestLog::new(self.run.store()), Streams::of(self.run));
        // The first games of a branch are not its own.
        let first = u32::from(self.run.origin().is_some());
        let (mut games, mut behind) = (0.0, 0.0);
        for number in entries.start.max(first)..entries.end {
            for shard in log.read(number)?.shards {
                let known = streams.read(&shard.stream)?.candidates;
                games += f64::from(shard.games);
                behind += f64::from(shard.games) * f64::from(candidates.saturating_sub(known));
            }
        }
        Ok(if games > 0.0 { behind / games } else { 0.0 })
    }
}
