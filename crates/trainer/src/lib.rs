//! The training loop: from the ingest log to candidates.
//!
//! A [`Trainer`] brings the window forward, takes as many steps as the data allow, writes
//! checkpoints and enters a candidate at the end of each generation. All it needs to go on is in
//! the store; what it reports are typed [`Event`]s, of which those that are a function of config,
//! seed and data also become lines of `metrics.jsonl`, cut back on resuming to what the checkpoint
//! knows of, and those with times lines of `timing.jsonl`.
//!
//! A [`Study`] does the same with files of other programs instead of a window.
//!
//! The crate knows nothing of games, search or the gate: a batch is rows and targets, a candidate
//! is weights and a manifest.

mod batches;
mod candidates;
mod checkpoint;
mod epoch;
mod error;
pub mod event;
mod held_out;
mod ingest;
mod journal;
mod progress;
mod schedule;
mod settings;
mod setup;
mod study;
mod tensorboard;
mod trainer;

pub use candidates::{candidates, publish_untrained};
pub use checkpoint::{check_metrics, fewest_entries};
pub use error::TrainError;
pub use event::{Candidate, Event, HeldOutReport};
pub use ingest::ingest_pending;
pub use journal::{METRICS, TIMING};
pub use schedule::Schedule;
pub use settings::{Settings, SettingsError};
pub use setup::{Branch, Probe, Setup};
pub use study::{Lessons, Studied, Study};
pub use tensorboard::TensorBoard;
pub use trainer::{Generation, Trainer};
