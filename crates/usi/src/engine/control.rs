use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use keiko_shogi::Move;

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
    best: Mutex<Option<Move>>,
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

    /// Notes the best move so far, for the case that the search does not end in time.
    pub(super) fn set_best(&self, mv: Move) {
        *self.best.lock().unwrap_or_else(PoisonError::into_inner) = Some(mv);
    }

    pub(super) fn best(&self) -> Option<Move> {
        *self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn deadline(&self) -> Option<Deadline> {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
