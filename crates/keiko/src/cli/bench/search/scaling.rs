//! What a second worker gains, by the clock on the wall.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use keiko_bench::median;
use keiko_inference::{Backend, BackendError, Parallel};

use super::super::net::NETS;
use super::metered::Counted;
use super::raw::{Evaluators, Runtime, SPAN};
use super::{play, selfplay};

/// How long workers run before evaluations are counted.
const START: Duration = Duration::from_millis(200);

/// (Two workers / one worker) / (two processes that only evaluate / one), the median of the rounds.
pub(super) fn selfplay(rounds: usize) -> anyhow::Result<f64> {
    let torch = NETS[0].torch()?;
    over_raw(rounds, Runtime::Torch, |workers| {
        rate(|evaluations, stop| {
            let open = |_: usize| -> Result<Box<dyn Backend>, BackendError> {
                let (inner, evaluations) = (torch.open()?, evaluations.clone());
                Ok(Box::new(Counted { inner, evaluations }))
            };
            selfplay::play(workers, &open, stop)
        })
    })
}

/// The same for the search of one game.
pub(super) fn play(rounds: usize) -> anyhow::Result<f64> {
    let onnx = NETS[0].onnx()?;
    over_raw(rounds, Runtime::Onnx, |workers| {
        rate(|evaluations, stop| {
            let lanes: Result<Vec<_>, _> = (0..workers).map(|_| onnx.open()).collect();
            let mut lanes = lanes?;
            let inner: Box<dyn Backend> =
                if workers == 1 { lanes.remove(0) } else { Box::new(Parallel::new(lanes)) };
            play::play(&mut Counted { inner, evaluations: evaluations.clone() }, stop)
        })
    })
}

fn over_raw(
    rounds: usize,
    runtime: Runtime,
    workers: impl Fn(usize) -> anyhow::Result<f64>,
) -> anyhow::Result<f64> {
    let mut processes = Evaluators::start(runtime, 2)?;
    let mut shares = Vec::with_capacity(rounds);
    for _ in 0..2 * rounds {
        // What is compared stands side by side, as a busy machine changes.
        let two = workers(2)? / processes.rate(2)?;
        let one = workers(1)? / processes.rate(1)?;
        shares.push(two / one);
    }
    median(shares).context("no rounds")
}

/// Evaluations a second while `work` is done on another thread, which counts them and stops when told to.
fn rate(
    work: impl FnOnce(&Arc<AtomicU64>, &AtomicBool) -> anyhow::Result<()> + Send,
) -> anyhow::Result<f64> {
    let (evaluations, stop) = (Arc::new(AtomicU64::new(0)), AtomicBool::new(false));
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(&evaluations, &stop));
        while evaluations.load(Ordering::Relaxed) == 0 && !worker.is_finished() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(START);
        let (start, before) = (Instant::now(), evaluations.load(Ordering::Relaxed));
        thread::sleep(SPAN);
        let made = evaluations.load(Ordering::Relaxed) - before;
        let seconds = start.elapsed().as_secs_f64();
        stop.store(true, Ordering::Relaxed);
        worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
        Ok(made as f64 / seconds)
    })
}
