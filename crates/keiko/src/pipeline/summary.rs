//! What a run has come to, in one screen.

use std::fmt::Write as _;

use keiko_trainer::event::Candidate;

use super::{Pipeline, gate, yardsticks};
use crate::report;

impl Pipeline<'_> {
    /// A table of the generations, the verdicts and the champion.
    pub(crate) fn summary(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        let candidates = self.candidates()?;
        writeln!(text, "\nrun {}\n", self.run.dir().display())?;
        if !candidates.is_empty() {
            self.add_generations(&candidates, &mut text)?;
        }
        for (generation, candidate) in (0_u32..).zip(&candidates) {
            if let Some(verdict) = self.verdict(&candidate.model)? {
                if generation == 0 {
                    let conditions = gate::conditions(&self.run.config().gate);
                    writeln!(text, "the gate's matches, {conditions}:")?;
                }
                writeln!(text, "{}", gate::describe(generation, &verdict))?;
            }
        }
        if let Some(last) = candidates.len().checked_sub(1) {
            let games = self.games(last as u32)?;
            let share = |(name, share): (&str, f64)| format!("{name} {:.1} %", 100.0 * share);
            let ends: Vec<String> = games.shares().map(share).collect();
            writeln!(text, "the last games ended by {}", ends.join(", "))?;
        }
        for (generation, candidate) in (0_u32..).zip(&candidates) {
            let taken = self.yardsticks(&candidate.model)?;
            for warning in self.warnings(generation, taken.as_ref())? {
                writeln!(text, "{warning}")?;
            }
        }
        writeln!(text, "report: {}", self.run.dir().join(report::PAGE).display())?;
        let champion = self.run.champions().current()?;
        let who = match champion.candidate {
            Some(number) => format!("candidate {number}"),
            None => format!("{} (no candidate has passed the gate)", self.run.first_net()),
        };
        writeln!(text, "champion: {who}, {}", self.run.onnx_path(&champion.model).display())?;
        Ok(text)
    }

    /// A line for each generation that has been trained, and what is to be known to read it.
    fn add_generations(&self, candidates: &[Candidate], text: &mut String) -> anyhow::Result<()> {
        let held_out = self.held_out()?;
        writeln!(
            text,
            "{:>3}  {:>6} {:>6} {:>6} {:>7} {:>7}  {:>6} {:>14} {:>6} {:>12}",
            "gen",
            "games",
            "plies",
            "draws",
            "Black",
            "repeats",
            "steps",
            "policy loss",
            "top-1",
            "value loss",
        )?;
        for (generation, candidate) in (0_u32..).zip(candidates) {
            let games = self.games(generation)?;
            write!(
                text,
                "{generation:>3}  {:>6} {:>6.1} {:>5.1}% {:>6.1}% {:>7}  {:>6}",
                games.games,
                games.mean_plies(),
                100.0 * games.draw_rate,
                100.0 * games.black_score,
                games.duplicates,
                candidate.step,
            )?;
            match held_out.get(&candidate.step) {
                Some(h) => writeln!(
                    text,
                    " {:>6.3} /{:>6.3} {:>5.1}% {:>5.3} /{:>5.3}",
                    h.policy_loss,
                    h.policy_loss_uniform,
                    100.0 * h.policy_accuracy,
                    h.value_loss,
                    h.value_loss_constant,
                )?,
                None => writeln!(text, " {:>14}", "-")?,
            }
        }
        writeln!(
            text,
            "losses on held-out games, beside those of equal chances (policy) and of the mean result (value)\n"
        )?;
        self.add_yardsticks(candidates, text)
    }

    /// A table of the yardsticks that were taken, and those of the last net in full.
    fn add_yardsticks(&self, candidates: &[Candidate], text: &mut String) -> anyhow::Result<()> {
        let mut last = None;
        for (generation, candidate) in (0..).zip(candidates) {
            let Some(taken) = self.yardsticks(&candidate.model)? else { continue };
            if last.is_none() {
                writeln!(text, "{}", yardsticks::title())?;
            }
            writeln!(text, "{}", yardsticks::line(generation, &taken))?;
            last = Some(taken);
        }
        if let Some(last) = last {
            writeln!(
                text,
                "the nets without search, in %, beside what ignorance scores; of the last one in full:\n{last}"
            )?;
        }
        Ok(())
    }
}
