//! The numbers that fix a net's shape.

use keiko_encoding::EncodingId;
use serde::{Deserialize, Serialize};

use crate::activation::Activation;
use crate::tensors::tensors;

/// The largest number of parameters a net may have: its weights stay below 1 GiB, and its ONNX form
/// below the 2 GiB that one protobuf message may take.
pub const MAX_PARAMETERS: usize = 1 << 28;

/// The shape of a residual net. A value read by serde has passed [`Architecture::validate`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Architecture {
    /// Which planes the net reads.
    pub encoding: EncodingId,
    /// Residual blocks of two convolutions, 1..=128.
    pub blocks: u32,
    /// Channels of every convolution of the trunk, 1..=1024.
    pub channels: u32,
    /// Channels inside the squeeze-excitation gate of each block, 0 = no gate; at most `channels`.
    pub squeeze_excitation: u32,
    /// Channels of the value head's convolution, 1..=256.
    pub value_channels: u32,
    /// Units of the value head's hidden layer, 1..=4096.
    pub value_hidden: u32,
    /// Activation after every layer but the outputs.
    pub activation: Activation,
}

/// An architecture before its numbers are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    encoding: EncodingId,
    blocks: u32,
    channels: u32,
    squeeze_excitation: u32,
    value_channels: u32,
    value_hidden: u32,
    activation: Activation,
}

impl TryFrom<Unchecked> for Architecture {
    type Error = ArchitectureError;

    fn try_from(unchecked: Unchecked) -> Result<Self, ArchitectureError> {
        let Unchecked {
            encoding,
            blocks,
            channels,
            squeeze_excitation,
            value_channels,
            value_hidden,
            activation,
        } = unchecked;
        let architecture = Self {
            encoding,
            blocks,
            channels,
            squeeze_excitation,
            value_channels,
            value_hidden,
            activation,
        };
        architecture.validate()?;
        Ok(architecture)
    }
}

/// A number of an architecture outside its range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchitectureError {
    /// One field outside its range.
    #[error("{field} is {value}, not in {least}..={most}")]
    OutOfRange {
        /// The field's name.
        field: &'static str,
        /// Its value.
        value: u32,
        /// The least value allowed.
        least: u32,
        /// The greatest value allowed.
        most: u32,
    },
    /// The fields together make too large a net.
    #[error("{parameters} parameters, more than {MAX_PARAMETERS}")]
    TooLarge {
        /// The net's number of parameters.
        parameters: usize,
    },
}

impl Architecture {
    /// Checks every number.
    ///
    /// # Errors
    ///
    /// [`ArchitectureError`] names the first field outside its range.
    pub fn validate(&self) -> Result<(), ArchitectureError> {
        let ranges = [
            ("blocks", self.blocks, 1, 128),
            ("channels", self.channels, 1, 1024),
            ("squeeze_excitation", self.squeeze_excitation, 0, self.channels),
            ("value_channels", self.value_channels, 1, 256),
            ("value_hidden", self.value_hidden, 1, 4096),
        ];
        for (field, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(ArchitectureError::OutOfRange { field, value, least, most });
            }
        }
        let parameters = self.parameters();
        if parameters > MAX_PARAMETERS {
            return Err(ArchitectureError::TooLarge { parameters });
        }
        Ok(())
    }

    /// Number of values in all tensors, running statistics included.
    pub fn parameters(&self) -> usize {
        tensors(self).iter().map(|spec| spec.len()).sum()
    }

    /// A short name a person can read, such as `5x64-se8-swish`.
    pub fn short_name(&self) -> String {
        let gate = match self.squeeze_excitation {
            0 => String::new(),
            channels => format!("-se{channels}"),
        };
        format!("{}x{}{gate}-{}", self.blocks, self.channels, self.activation)
    }
}
