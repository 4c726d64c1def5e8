//! Weights that a file keeps in other files.

use super::OnnxInfoError;
use crate::onnx::wire::{Content, Fields, Malformed};

/// Messages within messages that are followed at most; a net has five.
const MAX_DEPTH: usize = 64;
/// What is kept of a tensor's name, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// The messages that may lead to a tensor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Message {
    Model,
    Graph,
    Function,
    Node,
    Attribute,
    SparseTensor,
    Tensor,
}

impl Message {
    /// The message in a field, if it may lead to a tensor; the numbers are those of `onnx.proto`.
    const fn inside(self, field: u32) -> Option<Self> {
        Some(match (self, field) {
            (Self::Model, 7) | (Self::Attribute, 6 | 11) => Self::Graph,
            (Self::Model, 25) => Self::Function,
            (Self::Graph, 1) | (Self::Function, 7) => Self::Node,
            (Self::Node, 5) => Self::Attribute,
            (Self::Graph, 15) | (Self::Attribute, 22 | 23) => Self::SparseTensor,
            (Self::Graph, 5) | (Self::Attribute, 5 | 10) | (Self::SparseTensor, 1 | 2) => {
                Self::Tensor
            }
            _ => return None,
        })
    }
}

/// The name of the first tensor whose data the model looks for in another file.
pub(super) fn external_tensor(model: &[u8]) -> Result<Option<String>, OnnxInfoError> {
    // One iterator a level, so that no file makes this grow.
    let mut levels = vec![(Message::Model, Fields::of(model))];
    while let Some((message, fields)) = levels.last_mut() {
        let message = *message;
        let Some(field) = fields.next() else {
            levels.pop();
            continue;
        };
        let (number, content) = field.map_err(|Malformed| OnnxInfoError::Malformed("tensors"))?;
        let (Some(inside), Content::Bytes(bytes)) = (message.inside(number), content) else {
            continue;
        };
        if inside == Message::Tensor {
            if let Some(name) = name_if_external(bytes)? {
                return Ok(Some(name));
            }
            continue;
        }
        if levels.len() == MAX_DEPTH {
            return Err(OnnxInfoError::TooMuch("graphs within graphs"));
        }
        levels.push((inside, Fields::of(bytes)));
    }
    Ok(None)
}

fn name_if_external(tensor: &[u8]) -> Result<Option<String>, OnnxInfoError> {
    let (mut name, mut is_external) = (&[][..], false);
    for field in Fields::of(tensor) {
        match field.map_err(|Malformed| OnnxInfoError::Malformed("tensor"))? {
            (8, Content::Bytes(text)) => name = &text[..text.len().min(MAX_NAME_BYTES)],
            (13, Content::Bytes(_)) | (14, Content::Varint(1)) => is_external = true,
            _ => {}
        }
    }
    Ok(is_external.then(|| String::from_utf8_lossy(name).into_owned()))
}
