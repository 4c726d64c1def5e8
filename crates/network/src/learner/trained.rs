//! The net that is trained: views of the flat vectors.

use std::collections::BTreeMap;

use keiko_model::{Architecture, Head, NORM_EPSILON, TensorSpec};
use tch::{Kind, Tensor};

use super::layout::Layout;
use crate::error::Torch;
use crate::forward::{Block, Convolution, Gate, Linear, Net, convolve, whole_matrix};
use crate::heads::HeadLayers;
use crate::input::size;

/// Flat vectors of one set of weights.
pub(crate) struct Flat<'a> {
    /// Trained parameters, fp32.
    pub(crate) parameters: &'a Tensor,
    /// Running statistics, fp32; a forward pass updates them in place.
    pub(crate) statistics: &'a Tensor,
    /// Weight of a batch's own statistics in the update of the running ones, 0..=1.
    pub(crate) momentum: f64,
}

/// A convolution followed by a norm over the batch.
pub(crate) struct TrainedConvolution {
    weight: Tensor,
    scale: Tensor,
    shift: Tensor,
    mean: Tensor,
    variance: Tensor,
    momentum: f64,
}

impl Convolution for TrainedConvolution {
    fn apply(&self, input: &Tensor, addend: Option<&Tensor>) -> Torch<Tensor> {
        let mut output = convolve(input, &self.weight, None)?;
        if let Some(addend) = addend {
            output = output.f_add_(addend)?;
        }
        output.f_batch_norm(
            Some(&self.scale),
            Some(&self.shift),
            Some(&self.mean),
            Some(&self.variance),
            true,
            self.momentum,
            NORM_EPSILON,
            true,
        )
    }
}

/// A trained net and the bias of the labels.
pub(crate) struct TrainedNet {
    pub(crate) net: Net<TrainedConvolution>,
    /// `[2187]`, fp32.
    pub(crate) policy_bias: Tensor,
    /// The auxiliary heads.
    pub(crate) heads: Vec<(Head, HeadLayers<TrainedConvolution>)>,
}

impl TrainedNet {
    /// The net over `flat`, convolutions as numbers of `kind`. Everything is derived from
    /// `flat.parameters` by operations with gradients, so one vector gets all gradients.
    pub(crate) fn new(
        architecture: &Architecture,
        layout: &Layout,
        flat: &Flat<'_>,
        kind: Kind,
    ) -> Torch<Self> {
        let wide = split(&layout.trained, flat.parameters)?;
        // One conversion for all; what is not used of it costs less than many small ones.
        let converted = match kind {
            Kind::Float => None,
            kind => Some(split(&layout.trained, &flat.parameters.f_to_kind(kind)?)?),
        };
        let statistics = split(&layout.statistics, flat.statistics)?;
        Views {
            narrow: converted.as_ref().unwrap_or(&wide),
            wide: &wide,
            statistics,
            momentum: flat.momentum,
        }
        .net(architecture, &layout.heads)
    }
}

/// Tensors by name.
type Named = BTreeMap<String, Tensor>;

/// Views of a flat vector, convolutions as `[out, in, height, width]` in channels-last layout.
fn split(specs: &[TensorSpec], flat: &Tensor) -> Torch<Named> {
    let lengths: Vec<i64> = specs.iter().map(|spec| size(spec.len())).collect();
    let parts = flat.f_split_with_sizes(lengths.as_slice(), 0)?;
    specs
        .iter()
        .zip(parts)
        .map(|(spec, part)| {
            let shape: Vec<i64> = spec.shape.iter().map(|&length| size(length)).collect();
            let view = match shape[..] {
                [out, channels, height, width] => {
                    part.f_reshape([out, height, width, channels])?.f_permute([0, 3, 1, 2])?
                }
                _ => part.f_reshape(shape.as_slice())?,
            };
            Ok((spec.name.clone(), view))
        })
        .collect()
}

struct Views<'a> {
    narrow: &'a Named,
    wide: &'a Named,
    statistics: Named,
    momentum: f64,
}

impl Views<'_> {
    fn net(&self, architecture: &Architecture, heads: &[Head]) -> Torch<TrainedNet> {
        let has_gates = architecture.squeeze_excitation > 0;
        let blocks = (0..architecture.blocks)
            .map(|block| {
                let name = format!("blocks.{block}");
                Block {
                    first: self.convolution(&format!("{name}.conv1"), &format!("{name}.norm1")),
                    second: self.convolution(&format!("{name}.conv2"), &format!("{name}.norm2")),
                    gate: has_gates.then(|| Gate {
                        reduce: self.linear(&format!("{name}.se.reduce")),
                        expand: self.linear(&format!("{name}.se.expand")),
                    }),
                }
            })
            .collect();
        let mut input = self.convolution("input.conv", "input.norm");
        let board = size(architecture.encoding.planes1());
        let all = &self.wide["input.conv.weight"];
        let whole = whole_matrix(&all.f_narrow(1, board, all.size()[1] - board)?)?;
        let whole = whole.f_to_kind(input.weight.kind())?;
        input.weight = input.weight.f_narrow(1, 0, board)?;
        let net = Net {
            activation: architecture.activation,
            input,
            whole,
            blocks,
            policy: self.narrow["policy.conv.weight"].shallow_clone(),
            value: self.convolution("value.conv", "value.norm"),
            value_hidden: self.linear("value.hidden"),
            value_output: self.linear("value.output"),
        };
        let heads = heads.iter().map(|&head| (head, self.head(head, architecture))).collect();
        Ok(TrainedNet { net, policy_bias: self.wide["policy.bias"].shallow_clone(), heads })
    }

    fn head(&self, head: Head, architecture: &Architecture) -> HeadLayers<TrainedConvolution> {
        match head {
            Head::Reply | Head::SoftPolicy => HeadLayers::Policy {
                weight: self.narrow[&format!("{head}.conv.weight")].shallow_clone(),
                bias: self.wide[&format!("{head}.bias")].shallow_clone(),
            },
            Head::PliesLeft => HeadLayers::Number {
                activation: architecture.activation,
                convolution: self.convolution(&format!("{head}.conv"), &format!("{head}.norm")),
                hidden: self.linear(&format!("{head}.hidden")),
                output: self.linear(&format!("{head}.output")),
            },
        }
    }

    fn convolution(&self, convolution: &str, norm: &str) -> TrainedConvolution {
        let wide = |part: &str| self.wide[&format!("{norm}.{part}")].shallow_clone();
        let statistics = |part: &str| self.statistics[&format!("{norm}.{part}")].shallow_clone();
        TrainedConvolution {
            weight: self.narrow[&format!("{convolution}.weight")].shallow_clone(),
            scale: wide("weight"),
            shift: wide("bias"),
            mean: statistics("running_mean"),
            variance: statistics("running_var"),
            momentum: self.momentum,
        }
    }

    fn linear(&self, name: &str) -> Linear {
        let part = |part: &str| self.wide[&format!("{name}.{part}")].shallow_clone();
        Linear { weight: part("weight"), bias: part("bias") }
    }
}
