//! The net as tensor operations, the same for training and play.
//!
//! Convolutions run in the net's precision and in channels-last layout; norms' parameters, the
//! squeeze-excitation gates and the linear layers are fp32.

use keiko_model::Activation;
use tch::{Kind, Tensor};

use crate::error::Torch;
use crate::input::{Input, SQUARES, size, sizes};

/// A convolution with its norm, before the activation.
pub(crate) trait Convolution {
    /// The layer's output for `input`; `addend`, if any, is added to the convolution's output.
    fn apply(&self, input: &Tensor, addend: Option<&Tensor>) -> Torch<Tensor>;
}

/// A linear layer: `[out, in]` weights and `[out]` biases, fp32.
#[derive(Debug)]
pub(crate) struct Linear {
    pub(crate) weight: Tensor,
    pub(crate) bias: Tensor,
}

impl Linear {
    pub(crate) fn apply(&self, input: &Tensor) -> Torch<Tensor> {
        input.f_linear(&self.weight, Some(&self.bias))
    }
}

/// A squeeze-excitation gate: mean over squares, two linear layers, a factor in 0..1 per channel.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) reduce: Linear,
    pub(crate) expand: Linear,
}

impl Gate {
    fn apply(&self, input: &Tensor) -> Torch<Tensor> {
        let (rows, channels, ..) = input.size4()?;
        let means = input.f_mean_dim([2, 3].as_slice(), false, Kind::Float)?;
        let hidden = self.reduce.apply(&means)?.f_relu_()?;
        let factors = self.expand.apply(&hidden)?.f_sigmoid()?.f_to_kind(input.kind())?;
        input.f_mul(&factors.f_reshape([rows, channels, 1, 1])?)
    }
}

/// A residual block.
#[derive(Debug)]
pub(crate) struct Block<C> {
    pub(crate) first: C,
    pub(crate) second: C,
    pub(crate) gate: Option<Gate>,
}

/// All layers of a net.
#[derive(Debug)]
pub(crate) struct Net<C> {
    pub(crate) activation: Activation,
    /// The part of the first convolution that reads board planes.
    pub(crate) input: C,
    /// The part of the first convolution that reads whole planes, see [`whole_matrix`].
    pub(crate) whole: Tensor,
    pub(crate) blocks: Vec<Block<C>>,
    /// `[27, channels, 1, 1]`.
    pub(crate) policy: Tensor,
    pub(crate) value: C,
    pub(crate) value_hidden: Linear,
    pub(crate) value_output: Linear,
}

/// What a net says about a batch.
#[derive(Debug)]
pub(crate) struct Output {
    /// `[rows, 27, 9, 9]` in channels-last layout, in the net's precision, without the bias of the
    /// labels.
    pub(crate) policy: Tensor,
    /// `[rows, 3]`, fp32: logits of win, draw, loss for the side to move.
    pub(crate) value: Tensor,
}

impl<C: Convolution> Net<C> {
    /// Computes the batch.
    pub(crate) fn forward(&self, input: &Input) -> Torch<Output> {
        self.answers(&self.trunk(input)?)
    }

    /// What every head reads, `[rows, channels, 9, 9]`.
    pub(crate) fn trunk(&self, input: &Input) -> Torch<Tensor> {
        let rows = input.board.size()[0];
        let whole = input
            .whole
            .f_matmul(&self.whole)?
            .f_reshape([rows, 9, 9, -1])?
            .f_permute([0, 3, 1, 2])?;
        let mut trunk = self.activate(self.input.apply(&input.board, Some(&whole))?)?;
        for block in &self.blocks {
            let hidden = self.activate(block.first.apply(&trunk, None)?)?;
            let mut sum = block.second.apply(&hidden, None)?;
            if let Some(gate) = &block.gate {
                sum = gate.apply(&sum)?;
            }
            trunk = self.activate(sum.f_add_(&trunk)?)?;
        }
        Ok(trunk)
    }

    /// Policy and value of the trunk's output.
    pub(crate) fn answers(&self, trunk: &Tensor) -> Torch<Output> {
        let rows = trunk.size()[0];
        let policy = convolve(trunk, &self.policy, None)?;
        let value = self.activate(self.value.apply(trunk, None)?)?;
        let value = value.f_reshape([rows, -1])?.f_to_kind(Kind::Float)?;
        let hidden = self.activate(self.value_hidden.apply(&value)?)?;
        Ok(Output { policy, value: self.value_output.apply(&hidden)? })
    }

    fn activate(&self, tensor: Tensor) -> Torch<Tensor> {
        activate(self.activation, tensor)
    }
}

/// Applies an activation.
pub(crate) fn activate(activation: Activation, mut tensor: Tensor) -> Torch<Tensor> {
    match activation {
        Activation::Relu => tensor.f_relu_(),
        // Its gradient needs its input, so it cannot overwrite it.
        Activation::Swish => tensor.f_silu(),
    }
}

/// A convolution of stride 1 that keeps the board's size.
pub(crate) fn convolve(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Torch<Tensor> {
    let padding = weight.size()[2] / 2;
    input.f_conv2d(weight, bias, [1, 1], [padding, padding], [1, 1], 1)
}

/// The 3x3 convolution over planes that have one value for all squares, as a matrix.
///
/// `weight` is `[channels, planes, 3, 3]`; the result is `[planes, 81 * channels]`, squares before
/// channels. On such a plane the convolution's output at a square is the plane's value times the
/// sum of those of the nine weights that lie on the board there: a ninth of the work.
pub(crate) fn whole_matrix(weight: &Tensor) -> Torch<Tensor> {
    let (channels, planes, ..) = weight.size4()?;
    let on_board = Tensor::f_from_slice(&on_board())?
        .f_reshape(sizes([9, SQUARES]))?
        .f_to_device(weight.device())?
        .f_to_kind(weight.kind())?;
    weight
        .f_reshape([channels * planes, 9])?
        .f_matmul(&on_board)?
        .f_reshape([channels, planes, size(SQUARES)])?
        .f_permute([1, 2, 0])?
        .f_reshape([planes, -1])
}

/// `[9, 81]`: 1 where the neighbour that a weight of a 3x3 kernel reads lies on the board.
fn on_board() -> Vec<f32> {
    let inside = |centre: usize, step: usize| (1..=9).contains(&(centre + step));
    let taps = (0..9).map(|tap| (tap / 3, tap % 3));
    taps.flat_map(|(down, right)| {
        (0..SQUARES).map(move |square| {
            f32::from(u8::from(inside(square / 9, down) && inside(square % 9, right)))
        })
    })
    .collect()
}
