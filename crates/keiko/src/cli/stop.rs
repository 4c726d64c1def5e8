//! Ctrl-C and SIGTERM: the first asks for a clean end, the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

use crate::progress::Console;
use crate::stopping;

/// A flag that the first Ctrl-C or SIGTERM raises, which says what the run's stage waits for; a second one ends the
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
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        let what = what();
        console.line(&format!("stopping: {what}; press Ctrl-C again to stop at once"));
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(flag)
}
