//! How long steps take.

use std::time::{Duration, Instant};

use crate::event::Timing;

/// Measures how long steps take.
#[derive(Debug)]
pub(super) struct Clock {
    start: Instant,
    /// Steps taken since the start.
    pub(super) steps: u64,
    /// Time in which they were computed.
    computed: Duration,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { start: Instant::now(), steps: 0, computed: Duration::ZERO }
    }

    /// Does what a device is asked for, whose time counts.
    pub(super) fn time<T>(&mut self, compute: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = compute();
        self.computed += start.elapsed();
        result
    }

    /// The time since the start or the last reading, in which `self.steps` steps were taken.
    pub(super) fn read(&mut self, step: u64, batch_rows: usize) -> Timing {
        let Self { start, steps, computed } = std::mem::replace(self, Self::start());
        let seconds = start.elapsed().as_secs_f64();
        let rows_per_second = (steps * batch_rows as u64) as f64 / seconds;
        let device_busy = (computed.as_secs_f64() / seconds).min(1.0);
        Timing { step, steps, seconds, rows_per_second, device_busy }
    }
}
