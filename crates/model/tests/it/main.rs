//! Laws of models, their files and their hostile twins.

#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod architecture;
mod fold;
mod manifest;
mod onnx_info;
mod reference;
mod support;
mod weights;
