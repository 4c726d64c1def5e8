//! The reference against an even plainer computation in `f64`, square by square.

use keiko_encoding::{EncodingId, LABELS};
use keiko_model::{Activation, Architecture, Folded, Layer, fold, reference::forward_planes};

use crate::support::{Random, random_weights, tiny};

/// A value for each channel and square.
type Planes = Vec<[f64; 81]>;

fn act(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Relu => x.max(0.0),
        Activation::Swish => x / (1.0 + (-x).exp()),
    }
}

fn convolution(layer: &Layer, bias: &[f32], input: &Planes) -> Planes {
    let [out, channels, size] = [0, 1, 2].map(|axis| layer.weight.shape[axis]);
    let at = |plane: &[f64; 81], file: i32, rank: i32| {
        if (0..9).contains(&file) && (0..9).contains(&rank) {
            plane[(file * 9 + rank) as usize]
        } else {
            0.0
        }
    };
    let square = |o: usize, file: i32, rank: i32| {
        let mut sum = f64::from(bias[o]);
        for (c, plane) in input.iter().enumerate() {
            for kf in 0..size {
                for kr in 0..size {
                    let weight = layer.weight.values[((o * channels + c) * size + kf) * size + kr];
                    let reach = (size / 2) as i32;
                    sum += f64::from(weight)
                        * at(plane, file + kf as i32 - reach, rank + kr as i32 - reach);
                }
            }
        }
        sum
    };
    (0..out).map(|o| std::array::from_fn(|s| square(o, s as i32 / 9, s as i32 % 9))).collect()
}

fn linear(layer: &Layer, input: &[f64]) -> Vec<f64> {
    let row = |o: usize| &layer.weight.values[o * input.len()..][..input.len()];
    (0..layer.bias.len())
        .map(|o| {
            let sum: f64 = row(o).iter().zip(input).map(|(&w, x)| f64::from(w) * x).sum();
            sum + f64::from(layer.bias[o])
        })
        .collect()
}

fn forward(activation: Activation, net: &Folded, input: &Planes) -> (Vec<f64>, Vec<f64>) {
    let acts = |planes: Planes| -> Planes {
        planes.into_iter().map(|plane| plane.map(|x| act(activation, x))).collect()
    };
    let mut trunk = acts(convolution(&net.input, &net.input.bias, input));
    for block in &net.blocks {
        let first = acts(convolution(&block.first, &block.first.bias, &trunk));
        let mut second = convolution(&block.second, &block.second.bias, &first);
        if let Some(gate) = &block.gate {
            let means: Vec<f64> = second.iter().map(|p| p.iter().sum::<f64>() / 81.0).collect();
            let reduced: Vec<f64> =
                linear(&gate.reduce, &means).into_iter().map(|x| x.max(0.0)).collect();
            for (plane, x) in second.iter_mut().zip(linear(&gate.expand, &reduced)) {
                *plane = plane.map(|value| value / (1.0 + (-x).exp()));
            }
        }
        for (plane, skip) in second.iter_mut().zip(&trunk) {
            *plane = std::array::from_fn(|s| plane[s] + skip[s]);
        }
        trunk = acts(second);
    }
    let policy = convolution(&net.policy, &[0.0; 27], &trunk);
    let policy = (0..LABELS)
        .map(|label| policy[label / 81][label % 81] + f64::from(net.policy.bias[label]))
        .collect();
    let value = acts(convolution(&net.value, &net.value.bias, &trunk)).concat();
    let hidden: Vec<f64> =
        linear(&net.value_hidden, &value).into_iter().map(|x| act(activation, x)).collect();
    let powers: Vec<f64> = linear(&net.value_output, &hidden).into_iter().map(f64::exp).collect();
    let sum: f64 = powers.iter().sum();
    (policy, powers.into_iter().map(|power| power / sum).collect())
}

#[test]
fn the_reference_equals_a_computation_square_by_square() {
    let swish = tiny(EncodingId::Keiko1);
    let relu = Architecture {
        encoding: EncodingId::Dlshogi57,
        squeeze_excitation: 0,
        activation: Activation::Relu,
        ..swish.clone()
    };
    for architecture in [swish, relu] {
        let net = fold(&architecture, &random_weights(&architecture, 7));
        let mut random = Random(8);
        let planes: Vec<f32> =
            (0..architecture.encoding.planes() * 81).map(|_| random.signed()).collect();
        let squares = planes.as_chunks::<81>().0.iter();
        let input: Planes = squares.map(|plane| plane.map(f64::from)).collect();
        let output = forward_planes(&architecture, &net, &planes);
        let (policy, wdl) = forward(architecture.activation, &net, &input);
        for (label, (&found, expected)) in output.policy.iter().zip(policy).enumerate() {
            assert!((f64::from(found) - expected).abs() < 1e-4, "{label}: {found} {expected}");
        }
        for (&found, expected) in output.wdl.iter().zip(&wdl) {
            assert!((f64::from(found) - expected).abs() < 1e-5, "{found} {expected}");
        }
        assert!((f64::from(output.value()) - (wdl[0] + wdl[1] / 2.0)).abs() < 1e-5);
    }
}
