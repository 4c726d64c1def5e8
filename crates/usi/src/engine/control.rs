use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::report::Finished;

/// When a search has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deadline {
    /// When to end if the choice is clear.
    pub(super) optimum: Instant,
    /// When to end whatever happens.
    pub(super) maximum: Instant,
}

/// What the protocol's thread and a running search tell each other.
#[derive(Debug, Default)]
pub(super) struct Control {
    stopped: AtomicBool,
    deadline: Mutex<Option<Deadline>>,
    so_far: Mutex<Option<Finished>>,
}

impl Control {
    /// Asks the search to end after its present batch.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search must end, whatever it has found.
    pub(super) fn is_over(&self) -> bool {
        let late = |deadline: Deadline| Instant::now() >= deadline.maximum;
        self.is_stopped() || self.deadline().is_some_and(late)
    }

    pub(super) fn set_deadline(&self, deadline: Deadline) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Some(deadline);
    }

    /// Notes the answer so far, for the case that the search does not end in time.
    pub(super) fn note(&self, so_far: Finished) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
    }

    pub(super) fn noted(&self) -> Option<Finished> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn deadline(&self) -> Option<Deadline> {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
