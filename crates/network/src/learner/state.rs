//! A learner's whole state as bytes.

use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView, serialize};
use tch::Tensor;

use super::Learner;
use crate::TorchError;
use crate::error::Torch;

const PARAMETERS: &str = "parameters";
const AVERAGE: &str = "average";
const STATISTICS: &str = "statistics";
const STEPS: &str = "steps";

/// Why a state could not be restored. The learner is as before.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The bytes are no safetensors file.
    #[error("state is no safetensors file")]
    Format(#[from] SafeTensorError),
    /// A vector is absent: another optimiser's state, or none at all.
    #[error("state has no vector {0}")]
    Missing(String),
    /// A vector that this learner does not have: another optimiser's state.
    #[error("state has {0} vectors, {1} belong to this learner")]
    Count(usize, usize),
    /// A vector has another type or length: another architecture's state.
    #[error("state vector {name} holds {found} values of {dtype:?}, not {expected}")]
    Length {
        /// The vector's name.
        name: String,
        /// Its type.
        dtype: Dtype,
        /// Its number of values.
        found: usize,
        /// The learner's number of values.
        expected: usize,
    },
    /// LibTorch failed.
    #[error("cannot copy the state")]
    Torch(#[from] TorchError),
}

impl Learner {
    /// Everything that the next steps depend on, as a safetensors file: parameters, average,
    /// statistics, moments and the number of steps. The same state gives the same bytes.
    ///
    /// # Errors
    ///
    /// [`TorchError`] where LibTorch fails.
    pub fn state(&self) -> Result<Vec<u8>, TorchError> {
        let mut vectors: Vec<Vector> = Vec::new();
        for (name, tensor) in self.vectors() {
            let values: Vec<f32> = read(tensor)?;
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            vectors.push((name, Dtype::F32, values.len(), bytes));
        }
        vectors.push((STEPS, Dtype::U64, 1, self.steps.to_le_bytes().to_vec()));
        Ok(write(&vectors))
    }

    /// Goes on from a state: the steps that follow are those that would have followed there.
    ///
    /// # Errors
    ///
    /// [`StateError`] where the bytes are not the state of a learner of this architecture and
    /// optimiser.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        let file = SafeTensors::deserialize(state)?;
        let known = self.vectors();
        if file.len() != known.len() + 1 {
            return Err(StateError::Count(file.len(), known.len() + 1));
        }
        let mut values = Vec::new();
        for (name, tensor) in &known {
            let bytes = vector(&file, name, Dtype::F32, tensor.numel())?;
            let (numbers, _) = bytes.as_chunks();
            values.push(numbers.iter().map(|&number| f32::from_le_bytes(number)).collect());
        }
        let steps = vector(&file, STEPS, Dtype::U64, 1)?;
        let (steps, _) = steps.as_chunks();
        let steps = steps.iter().map(|&steps| u64::from_le_bytes(steps)).sum();
        drop(known);
        self.replace(&values).map_err(TorchError::from)?;
        self.steps = steps;
        Ok(())
    }

    /// Every flat vector of the state with its name.
    fn vectors(&self) -> Vec<(&'static str, &Tensor)> {
        let fixed = [
            (PARAMETERS, &self.parameters),
            (AVERAGE, &self.average),
            (STATISTICS, &self.statistics),
        ];
        let moments = self.options.optimiser.moments().iter().copied().zip(&self.moments);
        fixed.into_iter().chain(moments).collect()
    }

    /// Replaces the vectors, in the order of [`Self::vectors`].
    fn replace(&mut self, values: &[Vec<f32>]) -> Torch<()> {
        let device = self.options.device.torch();
        let mut loaded = values
            .iter()
            .map(|values| Tensor::f_from_slice(values)?.f_to_device(device))
            .collect::<Torch<Vec<_>>>()?
            .into_iter();
        let mut next = || loaded.next().expect("as many vectors were read as the learner has");
        self.parameters = next().f_set_requires_grad(true)?;
        self.average = next();
        self.statistics = next();
        self.moments.iter_mut().for_each(|moment| *moment = next());
        Ok(())
    }
}

/// Name, type, number of values and bytes.
type Vector = (&'static str, Dtype, usize, Vec<u8>);

fn write(vectors: &[Vector]) -> Vec<u8> {
    let views = vectors.iter().map(|(name, dtype, length, bytes)| {
        let view = TensorView::new(*dtype, vec![*length], bytes)
            .expect("the length was counted from the values");
        (*name, view)
    });
    serialize(views, None).expect("a few vectors are below every limit of the format")
}

fn read(tensor: &Tensor) -> Torch<Vec<f32>> {
    tensor.f_detach()?.try_into()
}

fn vector<'a>(
    file: &SafeTensors<'a>,
    name: &str,
    dtype: Dtype,
    expected: usize,
) -> Result<&'a [u8], StateError> {
    let view = file.tensor(name).map_err(|_| StateError::Missing(name.to_owned()))?;
    let found: usize = view.shape().iter().product();
    if view.dtype() != dtype || found != expected {
        let (name, dtype) = (name.to_owned(), view.dtype());
        return Err(StateError::Length { name, dtype, found, expected });
    }
    Ok(view.data())
}
