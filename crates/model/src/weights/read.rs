//! Weights from a safetensors file, which is trusted in nothing.

use std::collections::BTreeMap;

use safetensors::tensor::{Dtype, Metadata};

use super::{Tensor, Weights, WeightsError};
use crate::architecture::Architecture;
use crate::tensors::{TensorSpec, tensors};

/// More than the header of the largest net takes.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Bytes that are not the weights of an architecture.
#[derive(Debug, thiserror::Error)]
pub enum ReadWeightsError {
    /// Fewer bytes than the length of the header takes.
    #[error("{0} bytes are too few for a safetensors file")]
    TooShort(usize),
    /// A header longer than any net's, or longer than the file.
    #[error("header length {header} does not fit (file {file} bytes, limit {MAX_HEADER_BYTES})")]
    HeaderLength {
        /// Length that the file states, in bytes.
        header: u64,
        /// Length of the file, in bytes.
        file: usize,
    },
    /// A header that is not one of the format.
    #[error("header is not valid")]
    Header(#[source] serde_json::Error),
    /// A file with more or fewer data than its header describes.
    #[error("file has {found} bytes of data, its header describes {described}")]
    DataLength {
        /// Bytes after the header.
        found: usize,
        /// Bytes that the header describes.
        described: usize,
    },
    /// A tensor that does not hold 32-bit floats.
    #[error("tensor {name} holds {dtype:?}, not F32")]
    Dtype {
        /// The tensor's name.
        name: String,
        /// Its type.
        dtype: Dtype,
    },
    /// Tensors that are not those of the architecture.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl Weights {
    /// Reads a safetensors file that must hold exactly the tensors of `architecture`, as finite
    /// 32-bit floats. Its own metadata is ignored. Nothing is allocated by a length that the file
    /// states before that length is known to be the architecture's.
    ///
    /// # Errors
    ///
    /// [`ReadWeightsError`] says which part of the file is wrong.
    pub fn read_safetensors(
        bytes: &[u8],
        architecture: &Architecture,
    ) -> Result<Self, ReadWeightsError> {
        let (metadata, data) = split(bytes)?;
        let mut named = BTreeMap::new();
        for spec in tensors(architecture) {
            let tensor = read_tensor(&spec, &metadata, data)?;
            named.insert(spec.name, tensor);
        }
        if let Some(name) =
            metadata.offset_keys().into_iter().find(|name| !named.contains_key(name))
        {
            return Err(WeightsError::Unexpected { name }.into());
        }
        Ok(Self::new(architecture, named)?)
    }
}

/// The header and the data, whose length is what the header describes.
fn split(bytes: &[u8]) -> Result<(Metadata, &[u8]), ReadWeightsError> {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(ReadWeightsError::TooShort(bytes.len()));
    };
    let header = u64::from_le_bytes(*length);
    let (header, data) = usize::try_from(header)
        .ok()
        .filter(|&header| header <= MAX_HEADER_BYTES)
        .and_then(|header| rest.split_at_checked(header))
        .ok_or(ReadWeightsError::HeaderLength { header, file: bytes.len() })?;
    // The offsets of what this accepts start at 0, are contiguous, and fit dtype and shape.
    let metadata: Metadata = serde_json::from_slice(header).map_err(ReadWeightsError::Header)?;
    let described = metadata.data_len();
    if described != data.len() {
        return Err(ReadWeightsError::DataLength { found: data.len(), described });
    }
    Ok((metadata, data))
}

fn read_tensor(
    spec: &TensorSpec,
    metadata: &Metadata,
    data: &[u8],
) -> Result<Tensor, ReadWeightsError> {
    let name = || spec.name.clone();
    let info = metadata.info(&spec.name).ok_or_else(|| WeightsError::Missing { name: name() })?;
    if info.dtype != Dtype::F32 {
        return Err(ReadWeightsError::Dtype { name: name(), dtype: info.dtype });
    }
    let (start, end) = info.data_offsets;
    let bytes = data
        .get(start..end)
        .filter(|bytes| info.shape == spec.shape && bytes.len() == 4 * spec.len());
    let Some(bytes) = bytes else {
        let (found, expected) = (info.shape.clone(), spec.shape.clone());
        return Err(WeightsError::Shape { name: name(), found, expected }.into());
    };
    let values = bytes.as_chunks::<4>().0.iter().map(|&value| f32::from_le_bytes(value)).collect();
    Ok(Tensor { shape: spec.shape.clone(), values })
}
