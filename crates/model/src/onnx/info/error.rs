//! Why a file is not a net that this program can use.

/// Bytes that are no ONNX model, or none of dlshogi's form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnnxInfoError {
    /// A file longer than [`MAX_ONNX_BYTES`](super::MAX_ONNX_BYTES).
    #[error("{0} bytes are more than an ONNX file may have")]
    TooLong(usize),
    /// Bytes that are no protobuf message of this kind.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// More inputs, outputs or metadata than any net has.
    #[error("too many or too long {0}")]
    TooMuch(&'static str),
    /// An input or output that a net of this form has.
    #[error("no input or output is called {0}")]
    Missing(&'static str),
    /// An input or output of another type or shape.
    #[error("{name} has shape {dims:?} (f32: {is_f32}), not [batch, {expected}]")]
    Shape {
        /// Its name.
        name: String,
        /// Its axes.
        dims: Vec<Option<u64>>,
        /// Whether it is of 32-bit floats.
        is_f32: bool,
        /// The axes a net has after the batch.
        expected: String,
    },
    /// Metadata that contradicts itself or the inputs.
    #[error("metadata {key} is {value:?}: {reason}")]
    Metadata {
        /// Its key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
}
