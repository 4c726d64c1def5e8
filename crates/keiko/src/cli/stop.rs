//! Ctrl-C and SIGTERM: the first asks for a clean end, a later one ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rustix::process::{Signal, getpid, kill_process};

use crate::progress::Console;
use crate::stopping;

/// `timeout` and batch systems send a signal to the process and then to its group: within so long it is the same wish.
const ONE_WISH: Duration = Duration::from_secs(1);

/// A flag that the first Ctrl-C or SIGTERM raises, which says what the run's stage waits for; a later one ends the
/// process.
pub(super) fn on_signal(console: Console) -> anyhow::Result<Arc<AtomicBool>> {
    on_signal_with(console, stopping::waits_for)
}

/// The same, where something else becomes of what runs.
pub(super) fn on_signal_saying(
    console: Console,
    what: &'static str,
) -> anyhow::Result<Arc<AtomicBool>> {
    on_signal_with(console, move || what)
}

fn on_signal_with(
    console: Console,
    what: impl Fn() -> &'static str + Send + 'static,
) -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        if let Some(first) = first {
            if first.elapsed() > ONE_WISH {
                // Not by `exit`, which takes libraries down under the threads that compute.
                let _ = kill_process(getpid(), Signal::KILL);
            }
            return;
        }
        first = Some(Instant::now());
        raised.store(true, Ordering::Relaxed);
        let what = what();
        console.line(&format!("stopping: {what}; press Ctrl-C again to stop at once"));
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(flag)
}
