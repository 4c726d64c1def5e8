//! Laws of models, their files and their hostile twins.

mod architecture;
mod fold;
mod manifest;
mod onnx_info;
mod reference;
mod support;
mod weights;
