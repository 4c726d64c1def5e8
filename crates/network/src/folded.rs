//! A folded net on a device.

use keiko_encoding::EncodingId;
use keiko_model::{Activation, Architecture, Folded, Gate, Layer};
use tch::{Kind, Tensor};

use crate::Device;
use crate::error::Torch;
use crate::forward::{self, Block, Convolution, Linear, Net, convolve, whole_matrix};
use crate::input::size;

/// A convolution whose norm is part of its weights.
#[derive(Debug)]
pub(crate) struct FoldedConvolution {
    /// `[out, in, height, width]` in channels-last layout.
    weight: Tensor,
    /// `[out]`.
    bias: Tensor,
}

impl Convolution for FoldedConvolution {
    fn apply(&self, input: &Tensor, addend: Option<&Tensor>) -> Torch<Tensor> {
        let mut output = convolve(input, &self.weight, Some(&self.bias))?;
        match addend {
            Some(addend) => output.f_add_(addend),
            None => Ok(output),
        }
    }
}

/// The folded net and the bias of the labels.
#[derive(Debug)]
pub(crate) struct FoldedNet {
    pub(crate) net: Net<FoldedConvolution>,
    /// `[2187]`, fp32.
    pub(crate) policy_bias: Tensor,
}

impl FoldedNet {
    /// Copies `folded` to `device`, convolutions as numbers of `kind`.
    pub(crate) fn new(
        architecture: &Architecture,
        folded: &Folded,
        device: Device,
        kind: Kind,
    ) -> Torch<Self> {
        let Architecture { encoding, activation, .. } = *architecture;
        let load = Loader { device: device.torch(), kind };
        load.net(encoding, activation, folded)
    }
}

#[derive(Clone, Copy)]
struct Loader {
    device: tch::Device,
    kind: Kind,
}

impl Loader {
    fn net(
        self,
        encoding: EncodingId,
        activation: Activation,
        folded: &Folded,
    ) -> Torch<FoldedNet> {
        let blocks = folded
            .blocks
            .iter()
            .map(|block| {
                Ok(Block {
                    first: self.convolution(&block.first)?,
                    second: self.convolution(&block.second)?,
                    gate: block.gate.as_ref().map(|gate| self.gate(gate)).transpose()?,
                })
            })
            .collect::<Torch<_>>()?;
        let input = self.tensor(&folded.input.weight)?;
        let board = size(encoding.planes1());
        let whole = input.f_narrow(1, board, input.size()[1] - board)?;
        let net = Net {
            activation,
            input: FoldedConvolution {
                weight: self.channels_last(&input.f_narrow(1, 0, board)?)?,
                bias: self.vector(&folded.input.bias)?.f_to_kind(self.kind)?,
            },
            whole: whole_matrix(&whole)?.f_to_kind(self.kind)?,
            blocks,
            policy: self.channels_last(&self.tensor(&folded.policy.weight)?)?,
            value: self.convolution(&folded.value)?,
            value_hidden: self.linear(&folded.value_hidden)?,
            value_output: self.linear(&folded.value_output)?,
        };
        Ok(FoldedNet { net, policy_bias: self.vector(&folded.policy.bias)? })
    }

    fn convolution(self, layer: &Layer) -> Torch<FoldedConvolution> {
        Ok(FoldedConvolution {
            weight: self.channels_last(&self.tensor(&layer.weight)?)?,
            bias: self.vector(&layer.bias)?.f_to_kind(self.kind)?,
        })
    }

    fn gate(self, gate: &Gate) -> Torch<forward::Gate> {
        Ok(forward::Gate { reduce: self.linear(&gate.reduce)?, expand: self.linear(&gate.expand)? })
    }

    fn linear(self, layer: &Layer) -> Torch<Linear> {
        Ok(Linear { weight: self.tensor(&layer.weight)?, bias: self.vector(&layer.bias)? })
    }

    fn tensor(self, tensor: &keiko_model::Tensor) -> Torch<Tensor> {
        let shape: Vec<i64> = tensor.shape.iter().map(|&length| size(length)).collect();
        self.vector(&tensor.values)?.f_reshape(shape.as_slice())
    }

    fn vector(self, values: &[f32]) -> Torch<Tensor> {
        Tensor::f_from_slice(values)?.f_to_device(self.device)
    }

    fn channels_last(self, weight: &Tensor) -> Torch<Tensor> {
        weight
            .f_permute([0, 2, 3, 1])?
            .f_to_kind(self.kind)?
            .f_contiguous()?
            .f_permute([0, 3, 1, 2])
    }
}
