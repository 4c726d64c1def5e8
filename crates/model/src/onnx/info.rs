//! What an ONNX file says of itself, without running it.

mod error;
mod external;
mod operators;
mod read;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use keiko_encoding::{EncodingId, PLANES1};

use super::{keys, names};
use crate::architecture::Architecture;

pub use error::{OnnxInfoError, OnnxRefused};
pub use read::read_onnx_info;

/// The longest file that is read: protobuf itself allows no longer message.
pub const MAX_ONNX_BYTES: usize = i32::MAX as usize;

/// Operator sets that engines are known to load.
pub const ONNX_OPSETS: RangeInclusive<i64> = 7..=21;

/// Name and shape of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnnxTensor {
    /// Its name.
    pub name: String,
    /// Whether its elements are 32-bit floats.
    pub is_f32: bool,
    /// Its axes; `None` where one is dynamic.
    pub dims: Vec<Option<u64>>,
}

/// The outside of an ONNX model: any program's, not only ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnnxInfo {
    /// Version of the file's structure.
    pub ir_version: u64,
    /// Version of the default operator set; 0 where the file names none.
    pub opset: i64,
    /// The program that wrote the file.
    pub producer: String,
    /// The graph's inputs. Files before IR version 4 list their weights here as well.
    pub inputs: Vec<OnnxTensor>,
    /// The graph's outputs.
    pub outputs: Vec<OnnxTensor>,
    /// The file's own key-value pairs.
    pub metadata: BTreeMap<String, String>,
    /// The first tensor whose data are in another file, by name; `None` where this file has them all.
    pub external_tensor: Option<String>,
    /// The first thing that the model asks for and no net for shogi needs; `None` where there is none.
    pub refused: Option<OnnxRefused>,
}

impl OnnxInfo {
    /// The encoding of a model of dlshogi's form or ours: by its metadata where it has ours, else
    /// by the channels of `input2`. Every input and output the encoding needs is checked.
    ///
    /// # Errors
    ///
    /// [`OnnxInfoError`] names the input, output or metadata that does not fit.
    pub fn encoding(&self) -> Result<EncodingId, OnnxInfoError> {
        let whole = tensor(&self.inputs, names::WHOLE)?;
        let by_shape = match whole.dims.get(1) {
            Some(Some(57)) => EncodingId::Dlshogi57,
            Some(Some(119)) if self.inputs.iter().any(|input| input.name == names::SCALARS) => {
                EncodingId::Keiko1
            }
            Some(Some(119)) => EncodingId::Dlshogi119,
            _ => return Err(shape_error(whole, "57 or 119, 9, 9")),
        };
        if let Some(value) = self.metadata.get(keys::ENCODING)
            && value != by_shape.name()
        {
            let (key, value) = (keys::ENCODING, value.clone());
            let reason = format!("the inputs are those of {by_shape}");
            return Err(OnnxInfoError::Metadata { key, value, reason });
        }
        check(tensor(&self.inputs, names::BOARD)?, &[PLANES1 as u64, 9, 9])?;
        check(whole, &[by_shape.planes2() as u64, 9, 9])?;
        check(tensor(&self.outputs, names::POLICY)?, &[keiko_encoding::LABELS as u64])?;
        check(tensor(&self.outputs, names::VALUE)?, &[1])?;
        if by_shape == EncodingId::Keiko1 {
            check(tensor(&self.inputs, names::SCALARS)?, &[by_shape.scalars() as u64])?;
        }
        if self.has_wdl() {
            check(tensor(&self.outputs, names::WDL)?, &[3])?;
        }
        Ok(by_shape)
    }

    /// Whether the model may be handed to a program that computes it, such as ONNX Runtime: it reads no other file and
    /// asks only for what nets for shogi need.
    ///
    /// # Errors
    ///
    /// [`OnnxInfoError::External`] names the tensor, [`OnnxInfoError::Refused`] the node and its operator.
    pub fn check_harmless(&self) -> Result<(), OnnxInfoError> {
        if let Some(tensor) = self.external_tensor.clone() {
            return Err(OnnxInfoError::External { tensor });
        }
        match self.refused.clone() {
            Some(refused) => Err(refused.into()),
            None => Ok(()),
        }
    }

    /// Whether the model also gives the probabilities of win, draw and loss.
    pub fn has_wdl(&self) -> bool {
        self.outputs.iter().any(|output| output.name == names::WDL)
    }

    /// The only batch size that the model accepts; `None` where any will do.
    pub fn fixed_batch(&self) -> Option<u64> {
        let board = self.inputs.iter().find(|input| input.name == names::BOARD)?;
        board.dims.first().copied().flatten()
    }

    /// The architecture in the metadata of a file of ours; `None` where another program wrote it.
    ///
    /// # Errors
    ///
    /// [`OnnxInfoError::Metadata`] if there is one that cannot be read.
    pub fn architecture(&self) -> Result<Option<Architecture>, OnnxInfoError> {
        let Some(text) = self.metadata.get(keys::ARCHITECTURE) else {
            return Ok(None);
        };
        toml::from_str(text).map(Some).map_err(|error| OnnxInfoError::Metadata {
            key: keys::ARCHITECTURE,
            value: text.clone(),
            reason: error.message().to_owned(),
        })
    }

    /// The digest of the weights file in the metadata of a file of ours, as written there.
    pub fn weights_sha256(&self) -> Option<&str> {
        self.metadata.get(keys::WEIGHTS_SHA256).map(String::as_str)
    }
}

fn tensor<'a>(list: &'a [OnnxTensor], name: &'static str) -> Result<&'a OnnxTensor, OnnxInfoError> {
    list.iter().find(|tensor| tensor.name == name).ok_or(OnnxInfoError::Missing(name))
}

/// Checks the axes after the batch. A dynamic axis fits any number.
fn check(tensor: &OnnxTensor, expected: &[u64]) -> Result<(), OnnxInfoError> {
    let fits = tensor.dims.len() == expected.len() + 1
        && tensor.dims[1..]
            .iter()
            .zip(expected)
            .all(|(dim, want)| dim.is_none_or(|dim| dim == *want));
    if fits && tensor.is_f32 {
        return Ok(());
    }
    let expected: Vec<String> = expected.iter().map(u64::to_string).collect();
    Err(shape_error(tensor, &expected.join(", ")))
}

fn shape_error(tensor: &OnnxTensor, expected: &str) -> OnnxInfoError {
    OnnxInfoError::Shape {
        name: tensor.name.clone(),
        dims: tensor.dims.clone(),
        is_f32: tensor.is_f32,
        expected: expected.to_owned(),
    }
}
