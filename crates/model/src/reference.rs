//! What a folded net computes, written plainly and slowly in `f32`: the oracle of every backend.

use keiko_encoding::{LABELS, unpack};

use crate::activation::Activation;
use crate::architecture::Architecture;
use crate::folded::{Block, Folded, Gate, Layer};

/// The outputs of a net for one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Logits of all 2,187 labels.
    pub policy: Vec<f32>,
    /// Probabilities of win, draw and loss for the side to move; they sum to 1.
    pub wdl: [f32; 3],
}

impl Output {
    /// The expected score of the side to move with a draw worth one half: win + draw / 2.
    pub fn value(&self) -> f32 {
        self.wdl[0] + 0.5 * self.wdl[1]
    }
}

/// Runs a net on one row of its encoding.
///
/// # Panics
///
/// If `row` is not as long as a row of the architecture's encoding, or `net` is of another
/// architecture.
pub fn forward(architecture: &Architecture, net: &Folded, row: &[u8]) -> Output {
    let mut planes = vec![0.0; architecture.encoding.planes() * 81];
    unpack(architecture.encoding, row, &mut planes);
    forward_planes(architecture, net, &planes)
}

/// Runs a net on the planes of one position, shape `[planes, 81]`.
///
/// # Panics
///
/// If `planes` has another length, or `net` is of another architecture.
pub fn forward_planes(architecture: &Architecture, net: &Folded, planes: &[f32]) -> Output {
    assert_eq!(planes.len(), architecture.encoding.planes() * 81, "values of the input planes");
    let activation = architecture.activation;
    let mut trunk = activated(activation, convolved(&net.input, planes, &net.input.bias));
    for block in &net.blocks {
        trunk = block_output(activation, block, &trunk);
    }
    let mut policy = convolved(&net.policy, &trunk, &[0.0; 27]);
    assert_eq!(policy.len(), LABELS, "values of the policy planes");
    for (logit, bias) in policy.iter_mut().zip(&net.policy.bias) {
        *logit += bias;
    }
    let value = activated(activation, convolved(&net.value, &trunk, &net.value.bias));
    let hidden = activated(activation, linear(&net.value_hidden, &value));
    Output { policy, wdl: softmax(&linear(&net.value_output, &hidden)) }
}

fn block_output(activation: Activation, block: &Block, input: &[f32]) -> Vec<f32> {
    let first = activated(activation, convolved(&block.first, input, &block.first.bias));
    let mut output = convolved(&block.second, &first, &block.second.bias);
    if let Some(gate) = &block.gate {
        let factors = gate_factors(gate, &output);
        for (plane, factor) in output.chunks_exact_mut(81).zip(factors) {
            plane.iter_mut().for_each(|value| *value *= factor);
        }
    }
    for (value, skip) in output.iter_mut().zip(input) {
        *value += skip;
    }
    activated(activation, output)
}

fn gate_factors(gate: &Gate, planes: &[f32]) -> Vec<f32> {
    let means: Vec<f32> =
        planes.chunks_exact(81).map(|plane| plane.iter().sum::<f32>() / 81.0).collect();
    let squeezed = activated(Activation::Relu, linear(&gate.reduce, &means));
    let mut factors = linear(&gate.expand, &squeezed);
    factors.iter_mut().for_each(|factor| *factor = 1.0 / (1.0 + (-*factor).exp()));
    factors
}

fn activated(activation: Activation, mut values: Vec<f32>) -> Vec<f32> {
    values.iter_mut().for_each(|value| *value = activation.apply(*value));
    values
}

/// A convolution over `[in, 9, 9]` with padding that keeps the board's size; `bias` has one value an
/// output channel.
fn convolved(layer: &Layer, input: &[f32], bias: &[f32]) -> Vec<f32> {
    let [out, channels, size] =
        [layer.weight.shape[0], layer.weight.shape[1], layer.weight.shape[2]];
    assert_eq!(input.len(), channels * 81, "values of a convolution's input");
    let reach = size / 2;
    let mut output: Vec<f32> = bias.iter().flat_map(|&bias| [bias; 81]).collect();
    assert_eq!(output.len(), out * 81, "values of a convolution's output");
    for (kernels, output) in
        layer.weight.values.chunks_exact(channels * size * size).zip(output.chunks_exact_mut(81))
    {
        for (kernel, input) in kernels.chunks_exact(size * size).zip(input.chunks_exact(81)) {
            for (index, &weight) in kernel.iter().enumerate() {
                add_shifted(output, input, weight, [index / size, index % size, reach]);
            }
        }
    }
    output
}

/// Adds `weight` times the input moved by (`file` - `reach`, `rank` - `reach`) squares.
fn add_shifted(output: &mut [f32], input: &[f32], weight: f32, [file, rank, reach]: [usize; 3]) {
    for to_file in reach.saturating_sub(file)..(9 + reach - file).min(9) {
        for to_rank in reach.saturating_sub(rank)..(9 + reach - rank).min(9) {
            let from = (to_file + file - reach) * 9 + to_rank + rank - reach;
            output[to_file * 9 + to_rank] += weight * input[from];
        }
    }
}

fn linear(layer: &Layer, input: &[f32]) -> Vec<f32> {
    assert_eq!(layer.weight.shape[1], input.len(), "values of a linear layer's input");
    layer
        .weight
        .values
        .chunks_exact(input.len())
        .zip(&layer.bias)
        .map(|(weights, bias)| bias + weights.iter().zip(input).map(|(w, x)| w * x).sum::<f32>())
        .collect()
}

fn softmax(logits: &[f32]) -> [f32; 3] {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = [0, 1, 2].map(|index| (logits[index] - largest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}
