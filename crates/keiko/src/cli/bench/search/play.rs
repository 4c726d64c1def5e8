//! The search of one game at a time, as the engine does it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use keiko_encoding::Context;
use keiko_inference::Backend;
use keiko_mcts::{Noise, Search, SearchLimit};
use keiko_play::{ThinkSettings, think};
use keiko_shogi::DrawValues;
use keiko_usi::options::Options;

use super::super::games;
use super::super::net::Net;
use super::metered::{Meter, Metered};

/// Simulations of each search.
const SIMULATIONS: u32 = 2000;

/// Evaluations a CPU second of one game's search on one thread, as a share of the backend's own.
pub(super) fn over_raw(net: &Net) -> anyhow::Result<f64> {
    let onnx = net.onnx()?;
    let meter = Meter::default();
    let mut backend = Metered::new(onnx.open()?, meter.clone(), rows(), net.play_batches);
    play(&mut backend, &meter.is_done)?;
    meter.share().context("the searches ended before they were measured")
}

/// Rows of the engine's batches.
pub(super) fn rows() -> usize {
    Options::defaults().batch_size as usize
}

/// Searches one position after another until it is told to stop.
pub(super) fn play(backend: &mut dyn Backend, stop: &AtomicBool) -> anyhow::Result<()> {
    let settings = ThinkSettings {
        limit: SearchLimit { simulations: SIMULATIONS, noise: Noise::Off },
        plan: None,
        leaves: rows(),
        context: Context { draw_values: DrawValues::HALF },
    };
    let options = Options::defaults().search_settings();
    for game in games().cycle() {
        let mut search = Search::new(game?, &options, DrawValues::HALF, 1);
        think(&mut search, backend, &settings, |_| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })?;
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
    Ok(())
}
