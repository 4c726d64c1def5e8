//! The stages at once: each role goes on by itself, in a thread or a process of its own, and knows the others only by
//! what is in the store.
//!
//! A generation is what one candidate was trained on: the games that entered the ingest log since the one before. The
//! learner goes on when as many games wait for it as a generation has, self-play pauses when too many wait, the gate
//! judges every candidate in order.

mod gate;
mod learner;
mod queue;
mod selfplay;
mod streams;
mod waits;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::anyhow;

use super::{Ended, Pipeline};
use crate::memory;
use crate::run::{Process, Role, Run};
use crate::stopping;

impl Pipeline<'_> {
    /// Does what `role` has to do until the run is complete or a stop is asked for.
    pub(crate) fn attend(&self, role: Role) -> anyhow::Result<Ended> {
        let ended = match role {
            Role::Whole => self.run_all(),
            Role::Selfplay => self.keep_playing(),
            Role::Learner => self.keep_learning(),
            Role::Gate => self.keep_judging(),
        };
        ended.map_err(|error| memory::explain(error, role, self.run.config()))
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a clean end of `role` waits for.
pub(crate) fn parting(role: Role) -> &'static str {
    match role {
        Role::Whole => {
            "waiting for the positions in evaluation and for the step in training with its checkpoint; games in play and \
             the gate's match are dropped"
        }
        Role::Selfplay => "waiting for the positions in evaluation; games in play are dropped",
        Role::Learner => "waiting for the step in training, then for a checkpoint of it",
        Role::Gate => {
            "waiting for the yardsticks or the positions in evaluation; the gate's match is dropped, to be played again"
        }
    }
}

/// Runs self-play, learner and gate of the run in `dir` in threads of this process, until the run is complete or a stop
/// is asked for. Where one fails, the others end as if a stop had been asked for.
///
/// # Errors
/// Another process has one of the roles, or the first of the three that failed did so.
pub(crate) fn together(dir: &Path, process: &Process) -> anyhow::Result<Ended> {
    let roles = [Role::Gate, Role::Learner, Role::Selfplay];
    let runs = roles.map(|role| Ok::<_, anyhow::Error>((role, Run::join(dir, role, process)?)));
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    stopping::will_wait_for(parting(Role::Whole));
    let (failure, stop) = (Mutex::new(None), &*process.stop);
    let ended = thread::scope(|scope| {
        let threads: Vec<_> = runs
            .iter()
            .map(|(role, run)| {
                let failure = &failure;
                scope.spawn(move || {
                    let mut alarm = Alarm { stop, armed: true };
                    let ended = Pipeline::new(run, process.console, stop)
                        .and_then(|pipeline| pipeline.attend(*role));
                    alarm.armed = ended.is_err();
                    ended.unwrap_or_else(|error| {
                        let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                        failure.get_or_insert(error);
                        Ended::Stopped
                    })
                })
            })
            .collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.collect::<Result<Vec<_>, _>>()
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let ended = ended.map_err(|_| anyhow!("self-play, the learner or the gate panicked"))?;
    Ok(if ended.contains(&Ended::Stopped) { Ended::Stopped } else { Ended::Complete })
}

/// Asks the other threads to stop when this one ends by an error or a panic.
struct Alarm<'a> {
    stop: &'a AtomicBool,
    armed: bool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
