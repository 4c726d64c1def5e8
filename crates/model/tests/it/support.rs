//! Small nets whose every tensor matters.

use std::collections::BTreeMap;

use keiko_encoding::EncodingId;
use keiko_model::{Activation, Architecture, Role, Tensor, Weights, tensors};

/// SplitMix64, for values that need not be good.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Uniform in -1..1.
    pub(crate) fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}

pub(crate) fn tiny(encoding: EncodingId) -> Architecture {
    Architecture {
        encoding,
        blocks: 2,
        channels: 6,
        squeeze_excitation: 3,
        value_channels: 2,
        value_hidden: 5,
        activation: Activation::Swish,
    }
}

/// Weights in which norms, biases and statistics all differ from their initial values.
pub(crate) fn random_tensors(
    architecture: &Architecture,
    random: &mut Random,
) -> BTreeMap<String, Tensor> {
    tensors(architecture)
        .into_iter()
        .map(|spec| {
            let fan_in: usize = spec.shape[1..].iter().product();
            let values = (0..spec.len())
                .map(|_| match spec.role {
                    Role::Weight => random.signed() * 2.0 / (fan_in as f32).sqrt(),
                    Role::NormScale | Role::RunningVar => 1.0 + 0.8 * random.signed(),
                    Role::Bias | Role::NormShift | Role::RunningMean => 0.5 * random.signed(),
                })
                .collect();
            (spec.name, Tensor { shape: spec.shape, values })
        })
        .collect()
}

pub(crate) fn random_weights(architecture: &Architecture, seed: u64) -> Weights {
    Weights::new(architecture, random_tensors(architecture, &mut Random(seed))).unwrap()
}
