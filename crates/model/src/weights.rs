//! The values of a net's tensors.

mod initial;
mod read;
mod write;

use std::collections::BTreeMap;

use crate::architecture::Architecture;
use crate::tensors::{Role, TensorSpec, tensors};

pub use read::ReadWeightsError;

/// One tensor: its shape and its values, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Row-major shape; the product is the number of values.
    pub shape: Vec<usize>,
    /// The values; finite in a net's [`Weights`].
    pub values: Vec<f32>,
}

/// Every tensor of a net by name: exactly those of [`tensors`], all values finite, no running
/// variance negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(BTreeMap<String, Tensor>);

/// Tensors that are not those of an architecture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A tensor of the architecture is absent.
    #[error("tensor {name} is missing")]
    Missing {
        /// The tensor's name.
        name: String,
    },
    /// A tensor that the architecture does not have.
    #[error("tensor {name} does not belong to the architecture")]
    Unexpected {
        /// The tensor's name.
        name: String,
    },
    /// A tensor of another shape, or with another number of values than its shape has.
    #[error("tensor {name} has shape {found:?}, the architecture's is {expected:?}")]
    Shape {
        /// The tensor's name.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape the architecture gives it.
        expected: Vec<usize>,
    },
    /// A value that is infinite or not a number.
    #[error("value {index} of tensor {name} is not finite")]
    NotFinite {
        /// The tensor's name.
        name: String,
        /// Row-major index of the value.
        index: usize,
    },
    /// A negative running variance.
    #[error("value {index} of tensor {name} is a negative variance")]
    NegativeVariance {
        /// The tensor's name.
        name: String,
        /// Index of the channel.
        index: usize,
    },
}

impl Weights {
    /// Checks that `tensors` are those of `architecture`.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] names the first tensor that is wrong.
    pub fn new(
        architecture: &Architecture,
        mut named: BTreeMap<String, Tensor>,
    ) -> Result<Self, WeightsError> {
        let mut checked = BTreeMap::new();
        for spec in tensors(architecture) {
            let Some(tensor) = named.remove(&spec.name) else {
                return Err(WeightsError::Missing { name: spec.name });
            };
            check(&spec, &tensor)?;
            checked.insert(spec.name, tensor);
        }
        match named.pop_first() {
            Some((name, _)) => Err(WeightsError::Unexpected { name }),
            None => Ok(Self(checked)),
        }
    }

    /// The tensor called `name`.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.0.get(name)
    }

    /// Every tensor with its name, in the order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }
}

fn check(spec: &TensorSpec, tensor: &Tensor) -> Result<(), WeightsError> {
    let name = || spec.name.clone();
    if tensor.shape != spec.shape || tensor.values.len() != spec.len() {
        let (found, expected) = (tensor.shape.clone(), spec.shape.clone());
        return Err(WeightsError::Shape { name: name(), found, expected });
    }
    if let Some(index) = tensor.values.iter().position(|value| !value.is_finite()) {
        return Err(WeightsError::NotFinite { name: name(), index });
    }
    if spec.role == Role::RunningVar
        && let Some(index) = tensor.values.iter().position(|&value| value < 0.0)
    {
        return Err(WeightsError::NegativeVariance { name: name(), index });
    }
    Ok(())
}
