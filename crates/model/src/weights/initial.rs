//! The weights a run starts from.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Tensor, Weights};
use crate::architecture::Architecture;
use crate::heads::Head;
use crate::tensors::{Role, TensorSpec, tensors};

impl Weights {
    /// Weights of an untrained net, a function of the seed alone: uniform with the variance 2 /
    /// fan-in (He et al. 2015, "Delving Deep into Rectifiers", equation 10), norms that change
    /// nothing, biases 0. The last norm of each block starts at 0.5, so that deep trunks start
    /// closer to the identity; the two output layers have a tenth of the width, so that the first
    /// policy and value are close to even.
    pub fn initial(architecture: &Architecture, seed: u64) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self(initial_tensors(tensors(architecture), &mut rng))
    }
}

impl Head {
    /// The head's tensors before training by name, a function of the seed alone: as those of a net.
    pub fn initial(self, architecture: &Architecture, seed: u64) -> BTreeMap<String, Tensor> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ self.salt());
        initial_tensors(self.tensors(architecture), &mut rng)
    }
}

fn initial_tensors(
    specs: Vec<TensorSpec>,
    rng: &mut Xoshiro256PlusPlus,
) -> BTreeMap<String, Tensor> {
    let tensor = |spec: TensorSpec| {
        let values = initial_values(&spec, rng);
        (spec.name, Tensor { shape: spec.shape, values })
    };
    specs.into_iter().map(tensor).collect()
}

fn initial_values(spec: &TensorSpec, rng: &mut Xoshiro256PlusPlus) -> Vec<f32> {
    let constant = match spec.role {
        Role::Weight => {
            let fan_in: usize = spec.shape[1..].iter().product();
            let outputs =
                ["policy.", "value.output", "reply.", "soft_policy.", "plies_left.output"];
            let is_output = outputs.iter().any(|output| spec.name.starts_with(output));
            let width = (6.0 / fan_in as f32).sqrt() * if is_output { 0.1 } else { 1.0 };
            return (0..spec.len()).map(|_| (rng.random::<f32>() * 2.0 - 1.0) * width).collect();
        }
        Role::NormScale if spec.name.contains(".norm2.") => 0.5,
        Role::NormScale | Role::RunningVar => 1.0,
        Role::Bias | Role::NormShift | Role::RunningMean => 0.0,
    };
    vec![constant; spec.len()]
}
