//! The USI protocol in both directions, and an engine that speaks it over any evaluator.
//!
//! [`command`] is what a GUI says, [`answer`] what an engine says. Both read what programs really send: unknown lines
//! and words are skipped, numbers may be missing or too large.

pub mod answer;
pub mod book;
pub mod command;
pub mod engine;
pub mod onnx_loader;
pub mod options;
