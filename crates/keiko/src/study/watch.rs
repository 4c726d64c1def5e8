//! How learning from files shows itself, and what it comes to.

use std::fmt::Write as _;

use keiko_replay::data::DataCounts;
use keiko_trainer::Event;
use keiko_trainer::event::StepsReport;

use crate::pipeline::Pipeline;
use crate::progress::{Console, Stage};

/// Shows the events of a study.
pub(super) struct Watcher {
    console: Console,
    display: Stage,
    rows_per_second: f64,
    device_busy: f64,
    last: Option<StepsReport>,
}

impl Watcher {
    /// Shows steps by `display`.
    pub(super) fn new(console: Console, display: Stage) -> Self {
        Self { console, display, rows_per_second: 0.0, device_busy: 0.0, last: None }
    }

    pub(super) fn see(&mut self, event: &Event) {
        match event {
            Event::Steps(report) => self.last = Some(report.clone()),
            Event::Timing(timing) => {
                self.rows_per_second = timing.rows_per_second;
                self.device_busy = timing.device_busy;
                self.display.update(timing.step, &format!("steps, {}", self.text()));
            }
            Event::HeldOut(it) => self.console.line(&format!(
                "held out after {} steps: policy loss {:.3} (uniform {:.3}), top-1 {:.1} %, value loss {:.3} (constant \
                 {:.3}), value right {:.1} %",
                it.step,
                it.policy_loss,
                it.policy_loss_uniform,
                100.0 * it.policy_accuracy,
                it.value_loss,
                it.value_loss_constant,
                100.0 * it.value_accuracy
            )),
            Event::DamagedCheckpoint(it) => self.console.line(&format!(
                "checkpoint {} is damaged ({}): using an older one",
                it.checkpoint, it.problem
            )),
            _ => {}
        }
    }

    pub(super) fn finish(self, steps: u64) {
        let text = self.text();
        self.display.finish(&format!("{steps} steps, {text}"));
    }

    fn text(&self) -> String {
        let busy = 100.0 * self.device_busy;
        let mut text = format!("{:.0} rows/s, device busy {busy:.0} %", self.rows_per_second);
        if let Some(it) = &self.last {
            let _ = write!(
                text,
                ", policy loss {:.3} (least possible {:.3}), top-1 {:.1} %, value loss {:.3}",
                it.policy_loss,
                it.policy_target_entropy,
                100.0 * it.policy_accuracy,
                it.value_loss
            );
        }
        text
    }
}

impl Pipeline<'_> {
    /// What was read, the candidates' figures on held-out rows, and where the newest net is.
    pub(super) fn study_summary(&self, counts: &DataCounts) -> anyhow::Result<String> {
        let run = self.run();
        let mut text = format!("\nrun {}\n\n", run.dir().display());
        writeln!(
            text,
            "read {} records, {} rows: {} without a policy, {} without a value, {} left over",
            counts.records,
            counts.rows,
            counts.rows_without_policy,
            counts.rows_without_value,
            counts.rows_left_over
        )?;
        let dropped = counts.dropped().map(|(reason, games)| format!("{reason} {games}"));
        writeln!(text, "wrong records {}; games left out: {}", counts.bad, dropped.join(", "))?;
        let held_out = self.held_out()?;
        if !held_out.is_empty() {
            writeln!(
                text,
                "\n{:>8} {:>8} {:>15} {:>6} {:>14} {:>6}",
                "step", "rows", "policy loss", "top-1", "value loss", "right"
            )?;
        }
        for (step, it) in held_out {
            writeln!(
                text,
                "{step:>8} {:>8} {:>7.3} /{:>6.3} {:>5.1}% {:>6.3} /{:>6.3} {:>5.1}%",
                it.rows,
                it.policy_loss,
                it.policy_loss_uniform,
                100.0 * it.policy_accuracy,
                it.value_loss,
                it.value_loss_constant,
                100.0 * it.value_accuracy
            )?;
        }
        let champion = run.champions().current()?;
        writeln!(text, "\nchampion: {}", run.onnx_path(&champion.model).display())?;
        Ok(text)
    }
}
