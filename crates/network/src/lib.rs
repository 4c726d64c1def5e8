//! Nets on LibTorch: playing them and training them. The only crate that names `tch`.
//!
//! A net is written once (`forward.rs`), as operations over layers that are either folded
//! convolutions, for play ([`TorchBackend`]) and for measuring ([`Evaluator`]), or convolutions
//! with norms over flat vectors of parameters, for training ([`Learner`]). Convolutions run in
//! channels-last layout and, where the device computes it natively, in bf16: measured 2 to 9 times
//! faster than the plain form.
//!
//! LibTorch is linked by its CPU part; CUDA is opened at run time where a GPU is asked for
//! ([`Device::open`]).
//!
//! The crate knows nothing of games, search, schedules or a run's layout.

mod backend;
mod device;
mod error;
mod evaluator;
mod folded;
mod forward;
mod heads;
mod input;
mod learner;
mod loss;
mod losses;
mod memory;
mod precision;
mod shim;
#[cfg(test)]
mod testing;
mod threads;
mod upload;

pub use keiko_inference::{DeviceCall, Watchdog};

pub use backend::{BackendOpenError, TorchBackend, TorchOptions};
pub use device::{Device, DeviceError};
pub use error::TorchError;
pub use evaluator::Evaluator;
pub use learner::{Learner, LearnerError, LearnerOptions, Optimiser, StateError, Step, StepError};
pub use losses::{HeadSum, HeadWeights, LossSums, LossWeights, Losses, PerHead};
pub use precision::Precision;
