//! The gate's role.

use super::super::{Ended, Pipeline};
use super::waits::Waits;

impl Pipeline<'_> {
    /// Judges every candidate, in order.
    pub(super) fn keep_judging(&self) -> anyhow::Result<Ended> {
        self.mend_champions()?;
        let generations = self.run.config().generations;
        let mut waits = Waits::new(self, "gate");
        loop {
            let judged = self.verdicts()?;
            if judged >= generations {
                return Ok(Ended::Complete);
            }
            if self.is_stopped() {
                return Ok(Ended::Stopped);
            }
            let candidates = self.candidates()?;
            let Some(candidate) = candidates.get(judged as usize) else {
                waits.pass(judged, "the learner", &format!("candidate {judged} is to come"))?;
                continue;
            };
            waits.over()?;
            if self.judge_candidate(judged)? == Ended::Stopped {
                return Ok(Ended::Stopped);
            }
            let figures = [
                ("gate_waited", waits.share()),
                ("unjudged_candidates", (candidates.len() - judged as usize - 1) as f64),
            ];
            self.board()?.scalars(candidate.step, "pipeline", &figures);
            self.renew_page();
        }
    }
}
