//! Reading the outside of a file with bounds on everything.

use prost::Message;

use super::external::external_tensor;
use super::operators::refused;
use super::{MAX_ONNX_BYTES, OnnxInfo, OnnxInfoError, OnnxTensor};
use crate::onnx::proto::{Entry, FLOAT, OperatorSet, ValueInfo};
use crate::onnx::wire::{Content, Fields, Malformed};

/// Limits on what a file may make the reader keep.
const MAX_VALUES: usize = 4096;
const MAX_VALUE_BYTES: usize = 1 << 14;
const MAX_ENTRIES: usize = 256;
const MAX_ENTRY_BYTES: usize = 1 << 16;

/// Reads the outside of a model. Weights are skipped, not copied; what is kept is bounded whatever
/// the bytes say.
///
/// # Errors
///
/// [`OnnxInfoError`] if the bytes are no ONNX model.
pub fn read_onnx_info(bytes: &[u8]) -> Result<OnnxInfo, OnnxInfoError> {
    if bytes.len() > MAX_ONNX_BYTES {
        return Err(OnnxInfoError::TooLong(bytes.len()));
    }
    let mut info = OnnxInfo::default();
    let mut graph = None;
    for field in Fields::of(bytes) {
        match field.map_err(|Malformed| OnnxInfoError::Malformed("model"))? {
            (1, Content::Varint(version)) => info.ir_version = version,
            (2, Content::Bytes(text)) => info.producer = producer(text)?,
            (7, Content::Bytes(message)) => graph = Some(message),
            (8, Content::Bytes(message)) => {
                let set: OperatorSet = decode(message, MAX_ENTRY_BYTES, "operator set")?;
                if set.domain.is_empty() || set.domain == "ai.onnx" {
                    info.opset = set.version;
                }
            }
            (14, Content::Bytes(message)) => {
                let entry: Entry = decode(message, MAX_ENTRY_BYTES, "metadata")?;
                info.metadata.insert(entry.key, entry.value);
                if info.metadata.len() > MAX_ENTRIES {
                    return Err(OnnxInfoError::TooMuch("metadata"));
                }
            }
            _ => {}
        }
    }
    let graph = graph.ok_or(OnnxInfoError::Malformed("model without a graph"))?;
    for field in Fields::of(graph) {
        match field.map_err(|Malformed| OnnxInfoError::Malformed("graph"))? {
            (11, Content::Bytes(message)) => push(&mut info.inputs, message, "inputs")?,
            (12, Content::Bytes(message)) => push(&mut info.outputs, message, "outputs")?,
            _ => {}
        }
    }
    info.external_tensor = external_tensor(bytes)?;
    info.refused = refused(bytes)?;
    Ok(info)
}

fn producer(text: &[u8]) -> Result<String, OnnxInfoError> {
    if text.len() > MAX_ENTRY_BYTES {
        return Err(OnnxInfoError::TooMuch("producer"));
    }
    Ok(String::from_utf8_lossy(text).into_owned())
}

fn decode<M: Message + Default>(
    bytes: &[u8],
    most: usize,
    what: &'static str,
) -> Result<M, OnnxInfoError> {
    if bytes.len() > most {
        return Err(OnnxInfoError::TooMuch(what));
    }
    M::decode(bytes).map_err(|_| OnnxInfoError::Malformed(what))
}

fn push(
    list: &mut Vec<OnnxTensor>,
    message: &[u8],
    what: &'static str,
) -> Result<(), OnnxInfoError> {
    let value: ValueInfo = decode(message, MAX_VALUE_BYTES, what)?;
    if list.len() == MAX_VALUES {
        return Err(OnnxInfoError::TooMuch(what));
    }
    let tensor = value.r#type.and_then(|r#type| r#type.tensor_type).unwrap_or_default();
    let dims = tensor.shape.unwrap_or_default().dim;
    list.push(OnnxTensor {
        name: value.name,
        is_f32: tensor.elem_type == FLOAT,
        dims: dims.into_iter().map(|dim| u64::try_from(dim.dim_value?).ok()).collect(),
    });
    Ok(())
}
