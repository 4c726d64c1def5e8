//! Requests to batches, and the backends that need no LibTorch.
//!
//! A search asks for evaluations and never makes them; a network sees tensors and no games. This crate
//! is the seam: a [`RequestBatch`] turns positions into packed rows and legal labels, a [`Backend`]
//! answers it, and a [`ResponseBatch`] is the answer after it has been checked, so whatever reads one
//! can rely on finite logits and proper probabilities. Every batch of a group of games is padded to one
//! shape, because only then a row's answer depends on nothing but the row.
//!
//! Variants are decorators: [`Cached`] remembers the answers of any other backend, [`Parallel`] computes several
//! batches at a time, [`Canary`] asks now and then for what it knows, [`Watched`] tells a [`Watchdog`] what it waits for.
//!
//! The crate knows neither LibTorch nor how games are played.

mod backend;
mod cached;
mod canary;
mod error;
mod finished;
mod hashed;
mod onnx;
mod parallel;
mod request;
mod response;
mod ticket;
mod uniform;
mod watchdog;
mod watched;

pub use keiko_encoding::{Context, EncodingId};
pub use keiko_mcts::Wdl;

pub use backend::Backend;
pub use cached::Cached;
pub use canary::{Canary, Judge};
pub use error::BackendError;
pub use finished::Finished;
pub use hashed::Hashed;
pub use onnx::{
    ONNX_RUNTIME_FILE, OnnxBackend, OnnxOptions, Placement, Provider, find_onnx_runtime,
};
pub use parallel::Parallel;
pub use request::RequestBatch;
pub use response::ResponseBatch;
pub use ticket::Ticket;
pub use uniform::Uniform;
pub use watchdog::{DeviceCall, LongestCall, Watchdog};
pub use watched::Watched;
