//! Who evaluates positions.

use keiko_encoding::EncodingId;
use keiko_inference::{
    Backend, BackendError, Canary, RequestBatch, ResponseBatch, Uniform, Watchdog, Watched,
};
use keiko_model::{Architecture, Folded, SelfTest, Tolerance};
use keiko_network::{TorchBackend, TorchOptions};

use super::devices::Devices;
use crate::config::InferenceSection;
use crate::run::Model;

/// Makes the backends of one player, one for each worker.
pub(crate) enum Evaluator {
    /// Knows nothing.
    Uniform(EncodingId),
    /// A net on a device.
    Net(Box<Net>),
}

/// A net that is computed by LibTorch.
pub(crate) struct Net {
    architecture: Architecture,
    folded: Folded,
    section: InferenceSection,
    self_tests: Vec<(SelfTest, Vec<u8>)>,
    watchdog: Watchdog,
    devices: Devices,
}

/// Batches from one look at whether the device computes rightly to the next: a thousandth of its time.
const CHECK_EVERY: u64 = 1000;

/// Rows of the batch of the look.
const CHECK_SHAPE: usize = 16;

impl Evaluator {
    /// A model's net on the devices of the settings; `watchdog` is told what it is asked, `devices` for how long.
    pub(super) fn net(
        model: &Model,
        section: &InferenceSection,
        watchdog: &Watchdog,
        devices: &Devices,
    ) -> Self {
        Self::Net(Box::new(Net {
            architecture: model.architecture().clone(),
            folded: model.folded(),
            section: section.clone(),
            self_tests: model.self_tests().to_vec(),
            watchdog: watchdog.clone(),
            devices: devices.clone(),
        }))
    }

    /// A backend for a worker, which looks now and then whether the device still computes what the model's manifest
    /// says.
    ///
    /// # Errors
    /// The device cannot be had or computes wrongly, or LibTorch refuses the net.
    pub(crate) fn open(&self, worker: usize) -> Result<Box<dyn Backend>, BackendError> {
        match self {
            Self::Uniform(encoding) => Ok(Box::new(Uniform::new(*encoding))),
            Self::Net(net) => net.open(net.section.options(worker)),
        }
    }
}

impl Net {
    fn open(&self, options: TorchOptions) -> Result<Box<dyn Backend>, BackendError> {
        let opening = self.watchdog.enter(format!("opening {}", options.device));
        let backend = TorchBackend::open(&self.architecture, &self.folded, options)?;
        drop(opening);
        let backend = self.devices.timed(options.device, backend);
        let backend = Watched::new(backend, self.watchdog.clone());
        let tests = &self.self_tests[..self.self_tests.len().min(CHECK_SHAPE)];
        let mut question = RequestBatch::new(self.architecture.encoding, CHECK_SHAPE);
        for (test, row) in tests {
            question.push_row(row, &test.labels);
        }
        let expected: Vec<SelfTest> = tests.iter().map(|(test, _)| test.clone()).collect();
        let judge = move |found: &ResponseBatch| {
            for (row, test) in expected.iter().enumerate() {
                let wdl = found.wdl()[row];
                let wdl = [wdl.win, wdl.draw, wdl.loss];
                test.check(found.logits_of(row), wdl, Tolerance::ANY)
                    .map_err(|mismatch| mismatch.to_string())?;
            }
            Ok(())
        };
        Ok(Box::new(Canary::new(backend, question, Box::new(judge), CHECK_EVERY)?))
    }
}
