use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// When a search has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline {
    /// When to end if the choice is clear.
    pub(super) optimum: Instant,
    /// When to end whatever happens.
    pub(super) maximum: Instant,
}

/// What the protocol's thread tells a running search.
#[derive(Debug, Default)]
pub(super) struct Control {
    stopped: AtomicBool,
    deadline: Mutex<Option<Deadline>>,
}

impl Control {
    /// Asks the search to end after its present batch.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(super) fn set_deadline(&self, deadline: Deadline) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Some(deadline);
    }

    pub(super) fn deadline(&self) -> Option<Deadline> {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
