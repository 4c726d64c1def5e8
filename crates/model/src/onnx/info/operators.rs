//! Which operations a file asks for.

use super::{ONNX_OPSETS, OnnxInfoError, OnnxRefused};
use crate::onnx::wire::{Content, Fields, Malformed};

/// The operators that nets for shogi are made of, ours and other programs': convolutions, attention, norms, activations,
/// arithmetic, and what exporters need to form shapes. Their outputs are as large as their inputs and weights make them.
/// Loops, branches, random numbers, strings, sequences, and outputs of a size that the data choose are none of them.
const OPERATORS: [&str; 87] = [
    "Abs",
    "Add",
    "And",
    "ArgMax",
    "ArgMin",
    "AveragePool",
    "BatchNormalization",
    "Cast",
    "CastLike",
    "Ceil",
    "Celu",
    "Clip",
    "Concat",
    "Constant",
    "ConstantOfShape",
    "Conv",
    "CumSum",
    "DepthToSpace",
    "DequantizeLinear",
    "Div",
    "Dropout",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Expand",
    "Flatten",
    "Floor",
    "Gather",
    "GatherElements",
    "GatherND",
    "Gelu",
    "Gemm",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "Greater",
    "GreaterOrEqual",
    "GroupNormalization",
    "HardSigmoid",
    "HardSwish",
    "Identity",
    "InstanceNormalization",
    "LayerNormalization",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "LogSoftmax",
    "LpNormalization",
    "MatMul",
    "Max",
    "MaxPool",
    "Mean",
    "Min",
    "Mish",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "PRelu",
    "Pad",
    "Pow",
    "QuantizeLinear",
    "Reciprocal",
    "ReduceL2",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Selu",
    "Shape",
    "Sigmoid",
    "Slice",
    "Softmax",
    "Softplus",
    "SpaceToDepth",
    "Split",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Sum",
    "Tanh",
    "Transpose",
    "Unsqueeze",
    "Where",
];

/// The most operations of a file; the largest nets have some thousand.
const MAX_NODES: usize = 1 << 16;

/// What is kept of a name, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// The first thing that no net for shogi needs.
///
/// Where a message is given twice, protobuf reads both together, so all of them are looked at.
pub(super) fn refused(model: &[u8]) -> Result<Option<OnnxRefused>, OnnxInfoError> {
    let (mut nodes, mut has_opset) = (0, false);
    for field in fields(model, "model") {
        match field? {
            (7, Content::Bytes(graph)) => {
                for field in fields(graph, "graph") {
                    let (1, Content::Bytes(node)) = field? else { continue };
                    nodes += 1;
                    if nodes > MAX_NODES {
                        return Err(OnnxInfoError::TooMuch("operations"));
                    }
                    if let Some(refused) = refused_node(node)? {
                        return Ok(Some(refused));
                    }
                }
            }
            (8, Content::Bytes(set)) if is_default(last_text(set, 1, "operator set")?) => {
                has_opset = true;
                let version = version(set)?;
                if !i64::try_from(version).is_ok_and(|version| ONNX_OPSETS.contains(&version)) {
                    return Ok(Some(OnnxRefused::Opset { version }));
                }
            }
            (25, Content::Bytes(function)) => {
                let name = last_text(function, 1, "function")?;
                return Ok(Some(OnnxRefused::Function { name: shown(name) }));
            }
            // Other sets than the default one may be named: what counts is whether a node is of them.
            _ => {}
        }
    }
    Ok((!has_opset).then_some(OnnxRefused::Opset { version: 0 }))
}

fn refused_node(node: &[u8]) -> Result<Option<OnnxRefused>, OnnxInfoError> {
    let [op, name, domain] = [4, 3, 7].map(|number| last_text(node, number, "operation"));
    let (op, name, domain) = (op?, name?, domain?);
    if !is_default(domain) {
        let (domain, op, node) = (shown(domain), shown(op), shown(name));
        return Ok(Some(OnnxRefused::Domain { domain, op, node }));
    }
    if !OPERATORS.iter().any(|known| known.as_bytes() == op) {
        return Ok(Some(OnnxRefused::Operator { op: shown(op), node: shown(name) }));
    }
    for field in fields(node, "operation") {
        let (5, Content::Bytes(attribute)) = field? else { continue };
        for field in fields(attribute, "attribute") {
            if let (6 | 11, Content::Bytes(_)) = field? {
                return Ok(Some(OnnxRefused::Subgraph { op: shown(op), node: shown(name) }));
            }
        }
    }
    Ok(None)
}

/// The version of a set of operators.
fn version(set: &[u8]) -> Result<u64, OnnxInfoError> {
    let mut version = 0;
    for field in fields(set, "operator set") {
        if let (2, Content::Varint(number)) = field? {
            version = number;
        }
    }
    Ok(version)
}

fn is_default(domain: &[u8]) -> bool {
    matches!(domain, b"" | b"ai.onnx")
}

/// The text of a field, which is empty where it is not there. Of several, the last one counts.
fn last_text<'a>(
    message: &'a [u8],
    number: u32,
    what: &'static str,
) -> Result<&'a [u8], OnnxInfoError> {
    let mut text: &[u8] = &[];
    for field in fields(message, what) {
        if let (found, Content::Bytes(bytes)) = field?
            && found == number
        {
            text = bytes;
        }
    }
    Ok(text)
}

fn fields<'a>(
    message: &'a [u8],
    what: &'static str,
) -> impl Iterator<Item = Result<(u32, Content<'a>), OnnxInfoError>> {
    Fields::of(message).map(move |field| field.map_err(|Malformed| OnnxInfoError::Malformed(what)))
}

/// A name for people, cut where it is too long.
fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(MAX_NAME_BYTES)]).into_owned()
}
