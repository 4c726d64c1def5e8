//! Who evaluates positions.

use keiko_encoding::EncodingId;
use keiko_inference::{Backend, BackendError, Uniform};
use keiko_model::{Architecture, Folded};
use keiko_network::{TorchBackend, TorchOptions};

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
    options: TorchOptions,
}

impl Evaluator {
    /// A model's net on the device of the settings.
    pub(crate) fn net(model: &Model, section: InferenceSection) -> Self {
        let InferenceSection { device, precision, threads } = section;
        Self::Net(Box::new(Net {
            architecture: model.architecture().clone(),
            folded: model.folded(),
            options: TorchOptions { device, precision, threads },
        }))
    }

    /// A backend for one worker.
    ///
    /// # Errors
    /// The device cannot be had, or LibTorch refuses the net.
    pub(crate) fn open(&self) -> Result<Box<dyn Backend>, BackendError> {
        match self {
            Self::Uniform(encoding) => Ok(Box::new(Uniform::new(*encoding))),
            Self::Net(net) => {
                let backend = TorchBackend::new(&net.architecture, &net.folded, net.options);
                Ok(Box::new(backend.map_err(|error| BackendError::Compute {
                    backend: format!("torch on {}", net.options.device),
                    source: Box::new(error),
                })?))
            }
        }
    }
}
