//! Nets as ONNX files, in the form that dlshogi's engines read.

mod graph;
mod info;
mod proto;
mod wire;
mod write;

pub use info::{
    MAX_ONNX_BYTES, ONNX_OPSETS, OnnxInfo, OnnxInfoError, OnnxRefused, OnnxTensor, read_onnx_info,
};
pub use write::{OnnxMeta, OnnxOutputs, write_onnx};

/// Keys of the metadata a written file carries.
mod keys {
    /// The encoding's name.
    pub(super) const ENCODING: &str = "keiko.encoding";
    /// The architecture as TOML.
    pub(super) const ARCHITECTURE: &str = "keiko.architecture";
    /// SHA-256 of the safetensors file of the weights before folding.
    pub(super) const WEIGHTS_SHA256: &str = "keiko.weights_sha256";
}

/// Names of inputs and outputs.
mod names {
    /// Board planes, [batch, 62, 9, 9].
    pub(super) const BOARD: &str = "input1";
    /// Whole planes, [batch, 57 or 119, 9, 9].
    pub(super) const WHOLE: &str = "input2";
    /// Scalars, [batch, scalars].
    pub(super) const SCALARS: &str = "input3";
    /// Policy logits, [batch, 2187].
    pub(super) const POLICY: &str = "output_policy";
    /// Expected score of the side to move, [batch, 1].
    pub(super) const VALUE: &str = "output_value";
    /// Probabilities of win, draw and loss, [batch, 3].
    pub(super) const WDL: &str = "output_wdl";
    /// The dynamic axis.
    pub(super) const BATCH: &str = "batch_size";
}
