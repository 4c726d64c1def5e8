//! How fast nets are evaluated.

use std::thread;
use std::time::Instant;

use anyhow::Context as _;
use keiko_inference::{Backend, BackendError, RequestBatch};
use keiko_model::{Architecture, Folded, Weights, fold};
use keiko_network::{Device, TorchBackend, TorchOptions};

use crate::cli::bench::first_positions;
use crate::config::RunConfig;

/// Blocks and channels that are measured beside the config's.
const SIZES: [(u32, u32); 4] = [(5, 64), (10, 128), (15, 192), (20, 256)];

/// The smallest batch, and the largest.
const BATCHES: [usize; 2] = [16, 8192];

/// A larger batch that makes less than this more is not worth its wait.
const WORTH: f64 = 1.02;

/// A net to measure.
pub(super) struct Net {
    architecture: Architecture,
    configured: bool,
}

/// How fast it is.
pub(super) struct Measured {
    /// The batch in which it evaluates most.
    pub(super) best_batch: usize,
    /// Evaluations a second in it.
    pub(super) best: f64,
    /// Evaluations a second in the config's batch.
    pub(super) configured: f64,
}

/// The config's net, and the sizes beside it unless `only` that one is wanted.
pub(super) fn sizes(config: &RunConfig, only: bool) -> Vec<Net> {
    let mut nets = vec![Net { architecture: config.network.clone(), configured: true }];
    let others = SIZES.iter().filter(|_| !only).map(|&(blocks, channels)| Net {
        architecture: Architecture { blocks, channels, ..config.network.clone() },
        configured: false,
    });
    nets.extend(others.filter(|net| net.architecture != config.network));
    nets
}

impl Net {
    pub(super) fn name(&self) -> String {
        format!("{}x{}", self.architecture.blocks, self.architecture.channels)
    }

    pub(super) fn is_configured(&self) -> bool {
        self.configured
    }

    /// Measures it in growing batches, each for so many seconds.
    ///
    /// # Errors
    /// The device fails; one that has too little memory for any batch is among it.
    pub(super) fn measure(&self, config: &RunConfig, seconds: f64) -> anyhow::Result<Measured> {
        let folded = fold(&self.architecture, &Weights::initial(&self.architecture, 1));
        let shape = config.selfplay.batch_shape;
        let configured = self.rate(&folded, config, shape, seconds).with_context(|| {
            format!("{} in batches of {shape}: lower selfplay.batch_shape", self.name())
        })?;
        let (mut best_batch, mut best) = (shape, configured);
        let [mut batch, largest] = BATCHES;
        let mut worse = 0;
        // Two batches in a row that gain nothing end it: rates have steps.
        while batch <= largest && worse < 2 {
            // What the device has no memory for is no batch for it.
            let Ok(rate) = self.rate(&folded, config, batch, seconds) else { break };
            if rate > best * WORTH || (batch < best_batch && rate * WORTH >= best) {
                (best_batch, best, worse) = (batch, rate, 0);
            } else if batch > best_batch {
                worse += 1;
            }
            batch *= 2;
        }
        Ok(Measured { best_batch, best, configured })
    }

    /// Evaluations a second: on a CPU of as many workers as there are cores for, each with a net of its own; each GPU
    /// is busy with one.
    fn rate(
        &self,
        folded: &Folded,
        config: &RunConfig,
        batch: usize,
        seconds: f64,
    ) -> anyhow::Result<f64> {
        let workers = match config.inference.device.of(0) {
            Device::Cpu => {
                let cores =
                    thread::available_parallelism()?.get() / config.inference.threads.max(1);
                config.selfplay.workers.clamp(1, cores.max(1))
            }
            Device::Cuda(_) => config.inference.device.all().len(),
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..workers)
                .map(|worker| {
                    let options = config.inference.options(worker);
                    scope.spawn(move || self.rate_of_one(folded, options, batch, seconds))
                })
                .collect();
            let mut rate = 0.0;
            for thread in threads {
                rate += thread.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
            }
            Ok(rate)
        })
    }

    fn rate_of_one(
        &self,
        folded: &Folded,
        options: TorchOptions,
        batch: usize,
        seconds: f64,
    ) -> anyhow::Result<f64> {
        let mut backend = TorchBackend::new(&self.architecture, folded, options)?;
        let mut request = first_positions(&backend, batch);
        // The first calls choose kernels and take memory.
        request = evaluated(&mut backend, request)?;
        let (start, mut rows) = (Instant::now(), 0);
        loop {
            request = evaluated(&mut backend, request)?;
            rows += batch;
            let elapsed = start.elapsed().as_secs_f64();
            if elapsed >= seconds {
                return Ok(rows as f64 / elapsed);
            }
        }
    }
}

fn evaluated(
    backend: &mut TorchBackend,
    batch: RequestBatch,
) -> Result<RequestBatch, BackendError> {
    Ok(backend.evaluate(batch)?.into_request())
}
