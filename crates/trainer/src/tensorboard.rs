//! Curves for TensorBoard: the one place that knows its files.

use std::fmt;
use std::io;
use std::path::Path;

use keiko_replay::data::DataCounts;
use tensorboard_rs::summary_writer::SummaryWriter;

use crate::event::{Evenness, Event};

/// Writes events as scalars into an events file. One instance a process and folder: a file's name
/// has the second and the process in it.
pub struct TensorBoard {
    writer: SummaryWriter,
}

impl TensorBoard {
    /// Starts a new events file in `folder`, which is created if it is absent.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created.
    pub fn create(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self { writer: SummaryWriter::new(folder) })
    }

    /// Draws `event`, if it has a curve.
    pub fn record(&mut self, event: &Event) {
        match event {
            Event::Steps(it) => {
                self.scalars(
                    it.step,
                    "train",
                    &[
                        ("learning_rate", it.learning_rate),
                        ("policy_loss", it.policy_loss),
                        ("value_loss", it.value_loss),
                        ("total_loss", it.total_loss),
                        ("policy_target_entropy", it.policy_target_entropy),
                        ("policy_accuracy", it.policy_accuracy),
                        ("value_accuracy", it.value_accuracy),
                        ("gradient_norm", it.gradient_norm),
                    ],
                );
                for (name, loss) in [
                    ("reply_loss", it.reply_loss),
                    ("plies_left_loss", it.plies_left_loss),
                    ("soft_policy_loss", it.soft_policy_loss),
                ] {
                    let curve = loss.map(|loss| (name, loss));
                    self.scalars(it.step, "train", curve.as_slice());
                }
            }
            Event::HeldOut(it) => {
                self.scalars(
                    it.step,
                    "held_out",
                    &[
                        ("policy_loss", it.policy_loss),
                        ("policy_loss_uniform", it.policy_loss_uniform),
                        ("policy_accuracy", it.policy_accuracy),
                        ("value_loss", it.value_loss),
                        ("value_loss_constant", it.value_loss_constant),
                        ("value_accuracy", it.value_accuracy),
                    ],
                );
            }
            Event::Window(it) => {
                self.scalars(
                    it.step,
                    "window",
                    &[
                        ("rows", it.rows as f64),
                        ("total_rows", it.total_rows as f64),
                        ("bad_games", it.bad_games as f64),
                    ],
                );
                if let Some(evenness) = it.evenness {
                    let Evenness { effective_rows, most_uses } = evenness;
                    let curves = [("effective_rows", effective_rows), ("most_uses", most_uses)];
                    self.scalars(it.step, "window", &curves);
                }
            }
            Event::Data(it) => {
                let DataCounts { records, rows, bad, .. } = it.counts;
                let curves = [("records", records), ("rows", rows), ("bad", bad)];
                self.scalars(it.step, "data", &curves.map(|(name, count)| (name, count as f64)));
            }
            Event::Timing(it) => {
                self.scalars(
                    it.step,
                    "speed",
                    &[("rows_per_second", it.rows_per_second), ("device_busy", it.device_busy)],
                );
            }
            Event::NotFinite(it) => {
                self.scalars(it.step, "train", &[("not_finite_batches", it.count as f64)]);
            }
            Event::Checkpoint(_) | Event::Candidate(_) => self.writer.flush(),
            Event::Started(_) | Event::DamagedCheckpoint(_) => {}
        }
    }

    /// Draws one point each of several curves, for stages that are not the trainer.
    pub fn scalars(&mut self, step: u64, group: &str, values: &[(&str, f64)]) {
        let step = usize::try_from(step).unwrap_or(usize::MAX);
        for (name, value) in values {
            self.writer.add_scalar(&format!("{group}/{name}"), *value as f32, step);
        }
    }

    /// Hands everything so far to the file.
    pub fn flush(&mut self) {
        self.writer.flush();
    }
}

impl fmt::Debug for TensorBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TensorBoard").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Timing;

    #[test]
    fn events_become_scalars_in_one_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("events");
        let mut board = TensorBoard::create(&folder).unwrap();
        let timing =
            Timing { step: 7, steps: 2, seconds: 0.5, rows_per_second: 640.0, device_busy: 0.75 };
        board.record(&Event::Timing(timing));
        board.scalars(7, "gate", &[("elo", 12.5)]);
        drop(board);
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(Result::unwrap).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let bytes = std::fs::read(file.path()).unwrap();
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(has(b"brain.Event:2"));
        assert!(has(b"speed/rows_per_second") && has(&640.0_f32.to_le_bytes()));
        assert!(has(b"gate/elo") && has(&12.5_f32.to_le_bytes()));
    }
}
