//! The activation functions a net may use.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The activation after every convolution and the hidden value layer. The gate of a
/// squeeze-excitation block always uses ReLU inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(x, 0).
    Relu,
    /// x * sigmoid(x), also called SiLU.
    Swish,
}

impl Activation {
    /// The function's value at `x`.
    #[inline]
    pub fn apply(self, x: f32) -> f32 {
        match self {
            Self::Relu => x.max(0.0),
            Self::Swish => x / (1.0 + (-x).exp()),
        }
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Relu => "relu",
            Self::Swish => "swish",
        })
    }
}
