use std::path::PathBuf;

/// How [`OnnxBackend`](crate::OnnxBackend) computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxOptions {
    /// The shared library of ONNX Runtime; see [`find_onnx_runtime`](crate::find_onnx_runtime). A process
    /// loads one: the first path given is used for all models.
    pub library: PathBuf,
    /// Threads for one batch, the caller's included.
    pub threads: usize,
}
