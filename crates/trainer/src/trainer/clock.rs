//! How long steps take.

use std::time::Instant;

use crate::event::Timing;

/// Measures how long steps take.
#[derive(Debug)]
pub(super) struct Clock {
    start: Instant,
    /// Steps taken since the start.
    pub(super) steps: u64,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { start: Instant::now(), steps: 0 }
    }

    /// The time since the start or the last reading, in which `self.steps` steps were taken.
    pub(super) fn read(&mut self, step: u64, batch_rows: usize) -> Timing {
        let Self { start, steps } = std::mem::replace(self, Self::start());
        let seconds = start.elapsed().as_secs_f64();
        let rows_per_second = (steps * batch_rows as u64) as f64 / seconds;
        Timing { step, steps, seconds, rows_per_second }
    }
}
