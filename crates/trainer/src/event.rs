//! What a trainer tells those who watch it.

use keiko_replay::data::DataCounts;
use serde::{Deserialize, Serialize};

/// Something that happened in training. Printing, plotting and files subscribe to these.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A learner began or went on.
    Started(Started),
    /// A checkpoint could not be used, so an older one is.
    DamagedCheckpoint(DamagedCheckpoint),
    /// A generation began, with what the window held.
    Window(WindowReport),
    /// Files were learnt from, as far as a generation's end.
    Data(DataReport),
    /// Some steps were taken.
    Steps(StepsReport),
    /// A batch was skipped.
    NotFinite(NotFinite),
    /// A candidate was measured on held-out rows.
    HeldOut(HeldOutReport),
    /// A candidate was entered.
    Candidate(Candidate),
    /// A checkpoint was written.
    Checkpoint(CheckpointReport),
    /// How long steps took; by a clock, so never the same twice.
    Timing(Timing),
}

impl Event {
    /// Whether the event belongs to the metrics: those are a function of config, seed and data.
    pub fn is_metric(&self) -> bool {
        match self {
            Self::Window(_)
            | Self::Data(_)
            | Self::Steps(_)
            | Self::NotFinite(_)
            | Self::HeldOut(_)
            | Self::Candidate(_) => true,
            Self::Started(_)
            | Self::DamagedCheckpoint(_)
            | Self::Checkpoint(_)
            | Self::Timing(_) => false,
        }
    }
}

/// A learner began or went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Started {
    /// Its epoch.
    pub epoch: u32,
    /// Steps taken so far.
    pub step: u64,
    /// The checkpoint it goes on from.
    pub checkpoint: Option<String>,
}

/// A checkpoint could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DamagedCheckpoint {
    /// The checkpoint.
    pub checkpoint: String,
    /// What is wrong with it.
    pub problem: String,
}

/// What the window held when a generation began.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WindowReport {
    /// Steps taken so far.
    pub step: u64,
    /// Entries of the ingest log in it.
    pub entries: u32,
    /// Rows to train on.
    pub rows: u64,
    /// Held-out rows.
    pub held_out_rows: u64,
    /// Rows made in the whole run.
    pub total_rows: u64,
    /// Games left out because they break the rules, in the whole run.
    pub bad_games: u64,
    /// How unevenly rows are drawn, where surprise weighs.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub evenness: Option<Evenness>,
    /// The step at which the generation ends.
    pub end_step: u64,
}

/// How unevenly the rows of a window are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evenness {
    /// Rows that would tell as much if all were drawn equally often.
    pub effective_rows: f64,
    /// Uses of the row that is drawn most, where the mean is 1.
    pub most_uses: f64,
}

/// What was read of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DataReport {
    /// Steps taken so far.
    pub step: u64,
    /// Times that all files have been read.
    pub epoch: u32,
    /// What was read for the batches so far.
    #[serde(flatten)]
    pub counts: DataCounts,
}

/// Means over the steps since the report before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepsReport {
    /// Steps taken so far, these among them.
    pub step: u64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Policy cross entropy, in nats.
    pub policy_loss: f64,
    /// Value cross entropy, in nats.
    pub value_loss: f64,
    /// All losses together, each by its share.
    pub total_loss: f64,
    /// Cross entropy of the next ply's policy, in nats; none without that head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_loss: Option<f64>,
    /// Huber's loss of the plies left, in units of 20 plies; none without that head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies_left_loss: Option<f64>,
    /// Cross entropy of the soft policy, in nats; none without that head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft_policy_loss: Option<f64>,
    /// Entropy of the policy targets, in nats: the least policy loss possible.
    pub policy_target_entropy: f64,
    /// Share of rows whose likeliest move is the target's, 0..=1.
    pub policy_accuracy: f64,
    /// Share of rows whose likeliest result is the target's, 0..=1.
    pub value_accuracy: f64,
    /// Norm of the gradient before clipping.
    pub gradient_norm: f64,
}

/// A batch whose loss or gradient was not finite; nothing was learnt from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotFinite {
    /// Steps taken so far.
    pub step: u64,
    /// The batch's number.
    pub batch: u64,
    /// Such batches so far.
    pub count: u64,
}

/// A candidate's losses on held-out rows, beside those of predictors that know nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOutReport {
    /// The candidate's step.
    pub step: u64,
    /// Rows measured.
    pub rows: u64,
    /// Policy cross entropy over the legal moves, in nats.
    pub policy_loss: f64,
    /// The same for equal chances of all legal moves.
    pub policy_loss_uniform: f64,
    /// Entropy of the policy targets, in nats.
    pub policy_target_entropy: f64,
    /// Share of rows whose likeliest move is the target's, 0..=1.
    pub policy_accuracy: f64,
    /// Value cross entropy, in nats.
    pub value_loss: f64,
    /// The same for the frequencies of win, draw and loss in rows trained on.
    pub value_loss_constant: f64,
    /// Share of rows whose likeliest result is the target's, 0..=1.
    pub value_accuracy: f64,
}

/// A model that awaits the gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Its number in the log of candidates, from 0.
    pub number: u32,
    /// SHA-256 of its weights file: its folder below `models/`.
    pub model: String,
    /// Steps it was trained.
    pub step: u64,
    /// Rows it was trained on, repeats included.
    pub rows: u64,
    /// Entries of the ingest log it has seen; in a run that learns from files, generations with its own.
    pub entries: u32,
}

/// A checkpoint was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckpointReport {
    /// Its folder.
    pub checkpoint: String,
    /// Steps taken so far.
    pub step: u64,
}

/// How long steps took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Steps taken so far.
    pub step: u64,
    /// Steps measured.
    pub steps: u64,
    /// Seconds they took, batches included.
    pub seconds: f64,
    /// Rows trained on in a second.
    pub rows_per_second: f64,
    /// Share of these seconds in which a step was computed, 0..=1; in the others a batch was waited for, or something was
    /// written.
    pub device_busy: f64,
}
