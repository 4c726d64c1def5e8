//! A net for play: BatchNorm folded into the convolutions.

use crate::architecture::Architecture;
use crate::weights::{Tensor, Weights};

/// What BatchNorm adds to a variance before the square root; PyTorch's default.
pub const NORM_EPSILON: f64 = 1e-5;

/// A convolution or linear layer with a bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// [out, in, height, width] or [out, in].
    pub weight: Tensor,
    /// One value an output channel; only the policy has one a label.
    pub bias: Vec<f32>,
}

/// The squeeze-excitation gate of a block: mean over the squares, linear, ReLU, linear, sigmoid;
/// the result scales the block's channels before the skip is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// [squeezed, channels].
    pub reduce: Layer,
    /// [channels, squeezed].
    pub expand: Layer,
}

/// One residual block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// First 3x3 convolution; the activation follows.
    pub first: Layer,
    /// Second 3x3 convolution; gate, skip and activation follow.
    pub second: Layer,
    /// The gate, if the architecture has one.
    pub gate: Option<Gate>,
}

/// A net without norms: what backends run and the ONNX file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    /// 3x3 convolution over all input planes (board, whole, scalar planes in this order).
    pub input: Layer,
    /// The residual blocks.
    pub blocks: Vec<Block>,
    /// 1x1 convolution to 27 planes; its bias is one a label, [27 * 81], added to the flattened
    /// planes.
    pub policy: Layer,
    /// 1x1 convolution to the value planes; the activation follows.
    pub value: Layer,
    /// Linear over the value planes flattened as `[channel, square]`; the activation follows.
    pub value_hidden: Layer,
    /// Linear to the logits of win, draw and loss for the side to move.
    pub value_output: Layer,
}

/// Folds every norm into the convolution before it: with s = scale / sqrt(variance + epsilon), the
/// weights become weight * s and the bias shift - mean * s. Computed in f64, rounded once.
///
/// # Panics
///
/// If the weights are those of another architecture.
pub fn fold(architecture: &Architecture, weights: &Weights) -> Folded {
    let source = Source(weights);
    let blocks = (0..architecture.blocks)
        .map(|block| Block {
            first: source
                .normed(&format!("blocks.{block}.conv1"), &format!("blocks.{block}.norm1")),
            second: source
                .normed(&format!("blocks.{block}.conv2"), &format!("blocks.{block}.norm2")),
            gate: (architecture.squeeze_excitation > 0).then(|| Gate {
                reduce: source.linear(&format!("blocks.{block}.se.reduce")),
                expand: source.linear(&format!("blocks.{block}.se.expand")),
            }),
        })
        .collect();
    let policy = Layer {
        weight: source.tensor("policy.conv.weight").clone(),
        bias: source.tensor("policy.bias").values.clone(),
    };
    Folded {
        input: source.normed("input.conv", "input.norm"),
        blocks,
        policy,
        value: source.normed("value.conv", "value.norm"),
        value_hidden: source.linear("value.hidden"),
        value_output: source.linear("value.output"),
    }
}

struct Source<'a>(&'a Weights);

impl<'a> Source<'a> {
    fn tensor(&self, name: &str) -> &'a Tensor {
        self.0
            .get(name)
            .unwrap_or_else(|| panic!("the weights have no tensor {name}: another architecture's?"))
    }

    fn linear(&self, name: &str) -> Layer {
        let weight = self.tensor(&format!("{name}.weight")).clone();
        let bias = self.tensor(&format!("{name}.bias")).values.clone();
        Layer { weight, bias }
    }

    fn normed(&self, convolution: &str, norm: &str) -> Layer {
        let part = |part: &str| &self.tensor(&format!("{norm}.{part}")).values;
        let (scale, shift) = (part("weight"), part("bias"));
        let (mean, variance) = (part("running_mean"), part("running_var"));
        let mut weight = self.tensor(&format!("{convolution}.weight")).clone();
        let size = weight.values.len() / scale.len();
        let mut bias = Vec::with_capacity(scale.len());
        for (channel, weights) in weight.values.chunks_exact_mut(size).enumerate() {
            let factor =
                f64::from(scale[channel]) / (f64::from(variance[channel]) + NORM_EPSILON).sqrt();
            for weight in weights {
                *weight = (f64::from(*weight) * factor) as f32;
            }
            bias.push((f64::from(shift[channel]) - f64::from(mean[channel]) * factor) as f32);
        }
        Layer { weight, bias }
    }
}
