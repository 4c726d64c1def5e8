//! What a run does while the disk is full: it says so, and waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use keiko_store::{Room, StoreError};

use super::Process;
use crate::progress::Console;
use crate::pulse::Pulse;

/// Time from one try to the next.
const TRY_EVERY: Duration = Duration::from_secs(2);

/// Time from one line about it to the next.
const SAY_EVERY: Duration = Duration::from_secs(600);

/// How often a stop is looked for meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long a run waits for room.
#[derive(Debug)]
pub(super) enum Patience {
    /// Not at all.
    None,
    /// Until there is room, or it is asked to stop.
    Long(WaitForRoom),
}

/// Waits on behalf of a process.
#[derive(Debug)]
pub(super) struct WaitForRoom {
    console: Console,
    stop: Arc<AtomicBool>,
    pulse: Pulse,
    /// When it was last said that there is no room.
    said: Mutex<Option<Instant>>,
}

impl WaitForRoom {
    pub(super) fn new(process: &Process, pulse: &Pulse) -> Self {
        let (stop, pulse) = (Arc::clone(&process.stop), pulse.clone());
        Self { console: process.console, stop, pulse, said: Mutex::default() }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Room for Patience {
    fn wait(&self, failure: &StoreError) -> bool {
        let Self::Long(waiting) = self else { return false };
        let mut said = waiting.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.is_none_or(|said| said.elapsed() >= SAY_EVERY) {
            let what = described(failure);
            waiting.console.line(&format!(
                "waiting for room: {what}. Free space there and the run goes on by itself; Ctrl-C ends it, and \
                 nothing that was saved is lost"
            ));
            waiting.pulse.wait_for_room(Some(what));
            *said = Some(Instant::now());
        }
        drop(said);
        let start = Instant::now();
        while start.elapsed() < TRY_EVERY && !waiting.stopped() {
            thread::sleep(LOOK_EVERY);
        }
        !waiting.stopped()
    }

    fn found(&self) {
        let Self::Long(waiting) = self else { return };
        waiting.console.line("there is room again: going on");
        waiting.pulse.wait_for_room(None);
        *waiting.said.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// What failed; what to do about it is said elsewhere.
fn described(failure: &StoreError) -> String {
    match failure {
        StoreError::Io { action, path, source } => {
            format!("cannot {action} {}: {source}", path.display())
        }
        other => other.to_string(),
    }
}
