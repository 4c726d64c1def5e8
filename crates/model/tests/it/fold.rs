//! Folding changes nothing but the number of layers.

use keiko_encoding::EncodingId;
use keiko_model::{Layer, NORM_EPSILON, Weights, fold};

use crate::support::{Random, random_weights, tiny};

/// What a convolution and its norm make of one window of the input.
fn normed(weights: &Weights, names: [&str; 2], channel: usize, window: &[f32]) -> f64 {
    let [convolution, norm] = names;
    let tensor = |name: String| &weights.get(&name).unwrap().values;
    let kernel = tensor(format!("{convolution}.weight"));
    let part = |part: &str| f64::from(tensor(format!("{norm}.{part}"))[channel]);
    let sum = dot(&kernel[channel * window.len()..][..window.len()], window);
    (sum - part("running_mean")) / (part("running_var") + NORM_EPSILON).sqrt() * part("weight")
        + part("bias")
}

fn dot(weights: &[f32], window: &[f32]) -> f64 {
    weights.iter().zip(window).map(|(&w, &x)| f64::from(w) * f64::from(x)).sum()
}

#[test]
fn a_folded_layer_equals_convolution_and_norm() {
    let architecture = tiny(EncodingId::Dlshogi57);
    let weights = random_weights(&architecture, 1);
    let net = fold(&architecture, &weights);
    let mut random = Random(2);
    let layers: [([&str; 2], &Layer); 4] = [
        (["input.conv", "input.norm"], &net.input),
        (["blocks.0.conv1", "blocks.0.norm1"], &net.blocks[0].first),
        (["blocks.1.conv2", "blocks.1.norm2"], &net.blocks[1].second),
        (["value.conv", "value.norm"], &net.value),
    ];
    for (names, layer) in layers {
        let size: usize = layer.weight.shape[1..].iter().product();
        for channel in 0..layer.weight.shape[0] {
            let window: Vec<f32> = (0..size).map(|_| random.signed()).collect();
            let expected = normed(&weights, names, channel, &window);
            let folded = dot(&layer.weight.values[channel * size..][..size], &window)
                + f64::from(layer.bias[channel]);
            assert!((folded - expected).abs() < 1e-5, "{names:?}: {folded} {expected}");
        }
    }
}

#[test]
fn layers_without_a_norm_are_kept() {
    let architecture = tiny(EncodingId::Keiko1);
    let weights = random_weights(&architecture, 3);
    let net = fold(&architecture, &weights);
    let gate = net.blocks[1].gate.as_ref().unwrap();
    for (layer, weight, bias) in [
        (&gate.reduce, "blocks.1.se.reduce.weight", "blocks.1.se.reduce.bias"),
        (&gate.expand, "blocks.1.se.expand.weight", "blocks.1.se.expand.bias"),
        (&net.policy, "policy.conv.weight", "policy.bias"),
        (&net.value_hidden, "value.hidden.weight", "value.hidden.bias"),
        (&net.value_output, "value.output.weight", "value.output.bias"),
    ] {
        assert_eq!(&layer.weight, weights.get(weight).unwrap());
        assert_eq!(&layer.bias, &weights.get(bias).unwrap().values);
    }
}

#[test]
#[should_panic(expected = "blocks.2.norm1")]
fn weights_of_another_architecture_are_refused() {
    let architecture = tiny(EncodingId::Keiko1);
    let weights = random_weights(&architecture, 3);
    fold(&keiko_model::Architecture { blocks: 3, ..architecture }, &weights);
}
