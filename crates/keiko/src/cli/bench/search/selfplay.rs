//! Self-play as the demonstration plays it, whose games are thrown away.

use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use keiko_inference::{Backend, BackendError};
use keiko_selfplay::Settings;

use super::super::super::weighed;
use super::super::net::{Net, demo};
use super::metered::{Meter, Metered};

/// Evaluations a CPU second of self-play on one thread, as a share of the backend's own.
pub(super) fn over_raw(net: &Net) -> anyhow::Result<f64> {
    let torch = net.torch()?;
    let meter = Meter::default();
    let rows = demo()?.selfplay.batch_shape;
    let open = |_: usize| -> Result<Box<dyn Backend>, BackendError> {
        let metered = Metered::new(torch.open()?, meter.clone(), rows, net.selfplay_batches);
        Ok(Box::new(metered))
    };
    play(1, &open, &meter.is_done)?;
    meter.share().context("self-play ended before it was measured")
}

/// Plays with so many workers, a group of games each, until it is told to stop.
pub(super) fn play(
    workers: usize,
    backend: &(dyn Fn(usize) -> Result<Box<dyn Backend>, BackendError> + Sync),
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let config = demo()?;
    let settings = Settings { workers, groups: workers, ..config.selfplay.clone() };
    weighed::play(&config, &settings, 1 << 40, backend, stop)?;
    Ok(())
}
