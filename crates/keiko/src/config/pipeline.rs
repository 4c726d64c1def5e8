//! How the stages of a run follow each other.

use serde::{Deserialize, Serialize};

/// The `[pipeline]` section.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PipelineSection {
    /// One stage after another, or all at once.
    pub(crate) mode: PipelineMode,
    /// Games that wait for the learner at which self-play pauses, in generations, from 1; of meaning in `async` only.
    /// Before the first candidate it is the first generation.
    pub(crate) max_ahead: f64,
    /// The most candidates that may be newer than a game's model when the game begins; of meaning in `async` only.
    pub(crate) max_stale: u32,
}

/// How stages follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PipelineMode {
    /// One after another, generation by generation: the same config and seed give the same bytes.
    Sync,
    /// Self-play, training and gate at once, in threads of one process or in several processes.
    Async,
}

impl PipelineSection {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.max_ahead.is_finite() && self.max_ahead >= 1.0 {
            return Ok(());
        }
        Err("pipeline.max_ahead must be at least 1: with fewer games the learner would not go on"
            .to_owned())
    }

    /// Whether all stages go on at once.
    pub(crate) fn is_async(&self) -> bool {
        self.mode == PipelineMode::Async
    }
}
