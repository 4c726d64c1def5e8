//! A folded net to an ONNX file.

use keiko_encoding::{EncodingId, LABELS, PLANES1};
use prost::Message;

use super::graph::{GraphBuilder, int, ints};
use super::proto::{Entry, Model, OperatorSet};
use super::{keys, names};
use crate::activation::Activation;
use crate::architecture::Architecture;
use crate::digest::Digest;
use crate::folded::{Block, Folded, Gate, Layer};

/// The oldest ONNX operator set that TensorRT 8.6, DirectML and today's ONNX Runtime all read.
const OPSET: i64 = 17;

/// The IR version that belongs to that time.
const IR_VERSION: i64 = 8;

/// Which outputs a file has beside the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnnxOutputs {
    /// `output_value` alone. dlshogi's engines bind exactly two outputs.
    Dlshogi,
    /// `output_value`, and `output_wdl` after it. Files of the encoding `keiko-1`, which no other
    /// engine reads, always have both.
    WithWdl,
}

/// What a file says of itself beside its graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnnxMeta {
    /// Digest of the safetensors file of the weights before folding.
    pub weights_sha256: Digest,
    /// Which outputs the file has.
    pub outputs: OnnxOutputs,
}

/// Writes a net as one self-contained ONNX file in 32-bit floats: the same net gives the same bytes.
///
/// | name | shape | content |
/// |---|---|---|
/// | `input1` | [batch_size, 62, 9, 9] | board planes, file before rank |
/// | `input2` | [batch_size, 57 or 119, 9, 9] | whole planes |
/// | `input3` | [batch_size, scalars] | `keiko-1` only: scalars, broadcast inside |
/// | `output_policy` | [batch_size, 2187] | logits |
/// | `output_value` | [batch_size, 1] | win + draw / 2 for the side to move, in 0..=1 |
/// | `output_wdl` | [batch_size, 3] | by [`OnnxOutputs`]: probabilities of win, draw, loss |
///
/// # Panics
///
/// If `net` is of another architecture.
pub fn write_onnx(architecture: &Architecture, net: &Folded, meta: &OnnxMeta) -> Vec<u8> {
    let mut writer =
        NetWriter { graph: GraphBuilder::new("keiko"), activation: architecture.activation };
    let planes = writer.planes(architecture.encoding);
    let trunk = writer.trunk(net, &planes);
    writer.policy(net, &trunk);
    let with_wdl =
        architecture.encoding == EncodingId::Keiko1 || meta.outputs == OnnxOutputs::WithWdl;
    writer.value(net, &trunk, with_wdl);

    let entry = |key: &str, value: String| Entry { key: key.to_owned(), value };
    let text = toml::to_string(architecture).expect("an architecture is a flat table");
    Model {
        ir_version: IR_VERSION,
        producer_name: "keiko".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(writer.graph.finish()),
        opset_import: vec![OperatorSet { domain: String::new(), version: OPSET }],
        metadata_props: vec![
            entry(keys::ENCODING, architecture.encoding.to_string()),
            entry(keys::ARCHITECTURE, text),
            entry(keys::WEIGHTS_SHA256, meta.weights_sha256.to_string()),
        ],
    }
    .encode_to_vec()
}

struct NetWriter {
    graph: GraphBuilder,
    activation: Activation,
}

impl NetWriter {
    /// All input planes in one tensor.
    fn planes(&mut self, encoding: EncodingId) -> String {
        let graph = &mut self.graph;
        let mut parts = vec![
            graph.input(names::BOARD, &[PLANES1, 9, 9]),
            graph.input(names::WHOLE, &[encoding.planes2(), 9, 9]),
        ];
        let scalars = encoding.scalars();
        if scalars > 0 {
            let input = graph.input(names::SCALARS, &[scalars]);
            let shape = graph.shape("scalars.shape", &[-1, scalars as i64, 1, 1]);
            let column = graph.node("Reshape", "scalars.column", &[&input, &shape]);
            let ones = graph.floats("scalars.ones", &[1, scalars, 9, 9], &vec![1.0; scalars * 81]);
            parts.push(graph.node("Mul", "scalars.planes", &[&column, &ones]));
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        graph.node_with("Concat", "planes", &parts, vec![int("axis", 1)])
    }

    fn trunk(&mut self, net: &Folded, planes: &str) -> String {
        let mut trunk = self.convolution("input.conv", &net.input, planes);
        trunk = self.activated("input", &trunk);
        for (index, block) in net.blocks.iter().enumerate() {
            trunk = self.block(&format!("blocks.{index}"), block, &trunk);
        }
        trunk
    }

    fn block(&mut self, name: &str, block: &Block, input: &str) -> String {
        let first = self.convolution(&format!("{name}.conv1"), &block.first, input);
        let first = self.activated(&format!("{name}.act1"), &first);
        let mut second = self.convolution(&format!("{name}.conv2"), &block.second, &first);
        if let Some(gate) = &block.gate {
            second = self.gated(&format!("{name}.se"), gate, &second);
        }
        let sum = self.graph.node("Add", &format!("{name}.sum"), &[&second, input]);
        self.activated(&format!("{name}.act2"), &sum)
    }

    /// The gate's linear layers are 1x1 convolutions of the means, which keep their two axes.
    fn gated(&mut self, name: &str, gate: &Gate, input: &str) -> String {
        let mean = self.graph.node("GlobalAveragePool", &format!("{name}.mean"), &[input]);
        let reduced = self.convolution(&format!("{name}.reduce"), &gate.reduce, &mean);
        let reduced = self.graph.node("Relu", &format!("{name}.relu"), &[&reduced]);
        let expanded = self.convolution(&format!("{name}.expand"), &gate.expand, &reduced);
        let factors = self.graph.node("Sigmoid", &format!("{name}.factors"), &[&expanded]);
        self.graph.node("Mul", &format!("{name}.scaled"), &[input, &factors])
    }

    fn policy(&mut self, net: &Folded, trunk: &str) {
        let weight = self.weight("policy.conv", &net.policy);
        let planes = self.graph.node_with(
            "Conv",
            "policy.conv",
            &[trunk, &weight],
            vec![ints("kernel_shape", &[1, 1])],
        );
        let flat = self.graph.node_with("Flatten", "policy.flat", &[&planes], vec![int("axis", 1)]);
        let bias = self.graph.floats("policy.bias", &[LABELS], &net.policy.bias);
        self.graph.node("Add", names::POLICY, &[&flat, &bias]);
        self.graph.output(names::POLICY, &[LABELS]);
    }

    fn value(&mut self, net: &Folded, trunk: &str, with_wdl: bool) {
        let planes = self.convolution("value.conv", &net.value, trunk);
        let planes = self.activated("value.act", &planes);
        let flat = self.graph.node_with("Flatten", "value.flat", &[&planes], vec![int("axis", 1)]);
        let hidden = self.linear("value.hidden", &net.value_hidden, &flat);
        let hidden = self.activated("value.hidden.act", &hidden);
        let logits = self.linear("value.output", &net.value_output, &hidden);
        let wdl = self.graph.node_with("Softmax", names::WDL, &[&logits], vec![int("axis", 1)]);
        let scores = self.graph.floats("value.scores", &[3, 1], &[1.0, 0.5, 0.0]);
        self.graph.node("MatMul", names::VALUE, &[&wdl, &scores]);
        self.graph.output(names::VALUE, &[1]);
        if with_wdl {
            self.graph.output(names::WDL, &[3]);
        }
    }

    fn weight(&mut self, name: &str, layer: &Layer) -> String {
        self.graph.floats(&format!("{name}.weight"), &layer.weight.shape, &layer.weight.values)
    }

    /// A convolution that keeps the size of its input. A linear layer's weights make a 1x1 kernel.
    fn convolution(&mut self, name: &str, layer: &Layer, input: &str) -> String {
        let mut shape = layer.weight.shape.clone();
        shape.resize(4, 1);
        let weight = self.graph.floats(&format!("{name}.weight"), &shape, &layer.weight.values);
        let bias = self.graph.floats(&format!("{name}.bias"), &[shape[0]], &layer.bias);
        let attributes = vec![ints("kernel_shape", &shape[2..]), ints("pads", &[shape[2] / 2; 4])];
        self.graph.node_with("Conv", name, &[input, &weight, &bias], attributes)
    }

    fn linear(&mut self, name: &str, layer: &Layer, input: &str) -> String {
        let weight = self.weight(name, layer);
        let bias = self.graph.floats(&format!("{name}.bias"), &[layer.bias.len()], &layer.bias);
        self.graph.node_with("Gemm", name, &[input, &weight, &bias], vec![int("transB", 1)])
    }

    fn activated(&mut self, name: &str, input: &str) -> String {
        match self.activation {
            Activation::Relu => self.graph.node("Relu", name, &[input]),
            Activation::Swish => {
                let sigmoid = self.graph.node("Sigmoid", &format!("{name}.sigmoid"), &[input]);
                self.graph.node("Mul", name, &[input, &sigmoid])
            }
        }
    }
}

#[cfg(test)]
mod tests;
