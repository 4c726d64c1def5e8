use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a waiting worker looks whether it should stop.
const LOOK: Duration = Duration::from_millis(20);

/// The lowest index that the writer has not received yet.
///
/// Workers that are too far ahead of it pause, so that the games which wait for an earlier one are bounded.
/// Pausing changes when a group plays and nothing of what it plays.
#[derive(Debug)]
pub(super) struct Watermark {
    next: Mutex<u64>,
    moved: Condvar,
}

impl Watermark {
    pub(super) fn new(next: u64) -> Self {
        Self { next: Mutex::new(next), moved: Condvar::new() }
    }

    pub(super) fn next(&self) -> u64 {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn advance(&self, next: u64) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = next;
        self.moved.notify_all();
    }

    /// Waits a short time for the mark to move past `seen`.
    pub(super) fn wait(&self, seen: u64) {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.moved.wait_timeout_while(next, LOOK, |next| *next == seen);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}
