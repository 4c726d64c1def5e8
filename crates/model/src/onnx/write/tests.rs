//! The form of the files; what they compute is compared where a runtime is at hand.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::folded::fold;
use crate::onnx::proto::{FLOAT, Graph, INT64, ValueInfo};
use crate::weights::Weights;

const OPS: [&str; 12] = [
    "Add",
    "Concat",
    "Conv",
    "Flatten",
    "Gemm",
    "GlobalAveragePool",
    "MatMul",
    "Mul",
    "Relu",
    "Reshape",
    "Sigmoid",
    "Softmax",
];

fn architecture(encoding: EncodingId, activation: Activation) -> Architecture {
    Architecture {
        encoding,
        blocks: 2,
        channels: 4,
        squeeze_excitation: 2,
        value_channels: 2,
        value_hidden: 3,
        activation,
    }
}

fn bytes(architecture: &Architecture, outputs: OnnxOutputs) -> Vec<u8> {
    let net = fold(architecture, &Weights::initial(architecture, 1));
    let meta = OnnxMeta { weights_sha256: Digest::of(b"weights"), outputs };
    write_onnx(architecture, &net, &meta)
}

fn shapes(list: &[ValueInfo]) -> Vec<(&str, Vec<i64>)> {
    list.iter()
        .map(|value| {
            let tensor = value.r#type.as_ref().unwrap().tensor_type.as_ref().unwrap();
            assert_eq!(tensor.elem_type, FLOAT);
            let dims = &tensor.shape.as_ref().unwrap().dim;
            assert_eq!(dims[0].dim_param.as_deref(), Some("batch_size"));
            let fixed = dims[1..].iter().map(|dim| dim.dim_value.unwrap()).collect();
            (value.name.as_str(), fixed)
        })
        .collect()
}

/// Every value is made once and before it is used, and every constant has its shape's size.
fn check_graph(graph: &Graph) {
    let mut known = BTreeSet::new();
    for tensor in &graph.initializer {
        let size = match tensor.data_type {
            FLOAT => 4,
            INT64 => 8,
            other => panic!("{} has type {other}", tensor.name),
        };
        let len: i64 = tensor.dims.iter().product();
        assert_eq!(tensor.raw_data.len() as i64, size * len, "{}", tensor.name);
        assert!(known.insert(tensor.name.as_str()), "{}", tensor.name);
    }
    known.extend(graph.input.iter().map(|input| input.name.as_str()));
    let mut used = BTreeSet::new();
    for node in &graph.node {
        assert!(OPS.contains(&node.op_type.as_str()));
        for input in &node.input {
            assert!(known.contains(input.as_str()), "{} of {}", input, node.name);
            used.insert(input.as_str());
        }
        assert!(known.insert(node.output[0].as_str()), "{}", node.name);
    }
    used.extend(graph.output.iter().map(|output| output.name.as_str()));
    assert_eq!(used, known, "what is made is used");
}

#[test]
fn inputs_and_outputs_are_those_of_dlshogi() {
    for (encoding, planes) in [(EncodingId::Dlshogi57, 57), (EncodingId::Dlshogi119, 119)] {
        let bytes = bytes(&architecture(encoding, Activation::Relu), OnnxOutputs::Dlshogi);
        let model = Model::decode(bytes.as_slice()).unwrap();
        let graph = model.graph.unwrap();
        let inputs = [("input1", vec![62, 9, 9]), ("input2", vec![planes, 9, 9])];
        assert_eq!(shapes(&graph.input), inputs);
        let outputs = [("output_policy", vec![2187]), ("output_value", vec![1])];
        assert_eq!(shapes(&graph.output), outputs);
        assert_eq!((model.ir_version, model.opset_import[0].version), (8, 17));
    }
}

#[test]
fn our_own_encoding_adds_scalars_and_probabilities() {
    let architecture = architecture(EncodingId::Keiko1, Activation::Swish);
    let bytes = bytes(&architecture, OnnxOutputs::Dlshogi);
    let graph = Model::decode(bytes.as_slice()).unwrap().graph.unwrap();
    assert_eq!(shapes(&graph.input)[2], ("input3", vec![EncodingId::Keiko1.scalars() as i64]));
    assert_eq!(shapes(&graph.output)[2], ("output_wdl", vec![3]));
}

#[test]
fn graphs_are_whole() {
    for encoding in EncodingId::ALL {
        for activation in [Activation::Relu, Activation::Swish] {
            for squeeze_excitation in [0, 2] {
                let architecture =
                    Architecture { squeeze_excitation, ..architecture(encoding, activation) };
                let bytes = bytes(&architecture, OnnxOutputs::WithWdl);
                check_graph(&Model::decode(bytes.as_slice()).unwrap().graph.unwrap());
            }
        }
    }
}

#[test]
fn the_files_carry_the_folded_weights() {
    let architecture = architecture(EncodingId::Dlshogi57, Activation::Relu);
    let net = fold(&architecture, &Weights::initial(&architecture, 1));
    let bytes = bytes(&architecture, OnnxOutputs::Dlshogi);
    let graph = Model::decode(bytes.as_slice()).unwrap().graph.unwrap();
    let constants: BTreeMap<&str, &[u8]> = graph
        .initializer
        .iter()
        .map(|tensor| (tensor.name.as_str(), tensor.raw_data.as_slice()))
        .collect();
    let raw = |values: &[f32]| -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    };
    assert_eq!(constants["input.conv.weight"], raw(&net.input.weight.values));
    assert_eq!(constants["blocks.1.conv2.bias"], raw(&net.blocks[1].second.bias));
    assert_eq!(constants["policy.bias"], raw(&net.policy.bias));
    assert_eq!(constants["value.output.weight"], raw(&net.value_output.weight.values));
}

#[test]
fn the_same_net_gives_the_same_bytes() {
    let architecture = architecture(EncodingId::Keiko1, Activation::Swish);
    let digest = Digest::of(&bytes(&architecture, OnnxOutputs::WithWdl));
    assert_eq!(
        digest.to_string(),
        "cdeb24d7e3ef3f56dc8fb63eb5c3ef6133e77fbb3148d91c141f09935026597a",
        "the form of the files has changed: check it with other programs"
    );
}
