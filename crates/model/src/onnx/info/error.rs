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
    /// Weights that the file keeps in another file.
    #[error("the data of tensor {tensor:?} are in another file: save the model as one file")]
    External {
        /// The tensor.
        tensor: String,
    },
    /// Something that no net for shogi needs.
    #[error(transparent)]
    Refused(#[from] OnnxRefused),
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

/// What a file asks for that no net for shogi needs. It is refused before a library sees it, for the file may be a
/// stranger's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OnnxRefused {
    /// An operator that is not among those of nets.
    #[error(
        "node {node:?} is of the operator {op:?}, which no net for shogi needs: export the net without it"
    )]
    Operator {
        /// The operator.
        op: String,
        /// The node's name.
        node: String,
    },
    /// An operator that some library adds.
    #[error(
        "node {node:?} is of the operator {op:?} of {domain:?}, not of ONNX itself: export the net with ONNX's operators"
    )]
    Domain {
        /// Whose operator it is.
        domain: String,
        /// The operator.
        op: String,
        /// The node's name.
        node: String,
    },
    /// A graph within a node.
    #[error(
        "node {node:?} of the operator {op:?} holds a graph of its own: export the net without it"
    )]
    Subgraph {
        /// The operator.
        op: String,
        /// The node's name.
        node: String,
    },
    /// A function that the file defines.
    #[error("the file defines the function {name:?}: export the net with its functions inlined")]
    Function {
        /// Its name.
        name: String,
    },
    /// A set of operators that this program does not know.
    #[error("it is of opset {version}, not 7 to 21: export it with opset 17")]
    Opset {
        /// Its version.
        version: u64,
    },
}
