//! What a clean end of a run waits for, so that a stop can say it at once.

use std::sync::{Mutex, PoisonError};

static WORK: Mutex<&str> = Mutex::new("the run is left as it is");

/// Says what a stop waits for from now on, and what becomes of the work.
pub(crate) fn will_wait_for(what: &'static str) {
    *WORK.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

/// What a stop waits for now.
pub(crate) fn waits_for() -> &'static str {
    *WORK.lock().unwrap_or_else(PoisonError::into_inner)
}
