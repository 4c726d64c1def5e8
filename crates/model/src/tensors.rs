//! The one list of a net's tensors.

use crate::architecture::Architecture;

/// What a tensor is for: decides its initial value, and whether weight decay and gradients apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Weights of a convolution [out, in, height, width] or a linear layer [out, in].
    Weight,
    /// Biases of a linear layer, or of the 2,187 policy labels.
    Bias,
    /// BatchNorm's factor (gamma), one a channel.
    NormScale,
    /// BatchNorm's summand (beta), one a channel.
    NormShift,
    /// BatchNorm's mean for evaluation, one a channel; not trained by gradients.
    RunningMean,
    /// BatchNorm's variance for evaluation, one a channel, not negative; not trained by gradients.
    RunningVar,
}

impl Role {
    /// Whether gradients train the tensor; the others are statistics.
    pub const fn is_trained(self) -> bool {
        !matches!(self, Self::RunningMean | Self::RunningVar)
    }
}

/// Name, shape and role of one tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// Unique within the net, such as `blocks.0.conv1.weight`.
    pub name: String,
    /// Row-major shape.
    pub shape: Vec<usize>,
    /// What it is for.
    pub role: Role,
}

impl TensorSpec {
    /// Number of values.
    #[expect(clippy::len_without_is_empty, reason = "no tensor of a net is empty")]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Every tensor of a net, in the order that files and flat parameter vectors use.
///
/// Convolutions have no bias (a norm follows; the policy's bias is per label). Linear weights are
/// [out, in]. The value head's hidden layer reads its convolution's output flattened as
/// `[channel, square]`.
pub fn tensors(architecture: &Architecture) -> Vec<TensorSpec> {
    let channels = architecture.channels as usize;
    let planes = architecture.encoding.planes();
    let mut list = List::default();
    list.convolution("input.conv", [channels, planes, 3, 3]);
    list.norm("input.norm", channels);
    for block in 0..architecture.blocks {
        let name = format!("blocks.{block}");
        for half in 1..=2 {
            list.convolution(&format!("{name}.conv{half}"), [channels, channels, 3, 3]);
            list.norm(&format!("{name}.norm{half}"), channels);
        }
        let squeezed = architecture.squeeze_excitation as usize;
        if squeezed > 0 {
            list.linear(&format!("{name}.se.reduce"), [squeezed, channels]);
            list.linear(&format!("{name}.se.expand"), [channels, squeezed]);
        }
    }
    list.convolution("policy.conv", [27, channels, 1, 1]);
    list.push("policy.bias", &[27 * 81], Role::Bias);
    let value = architecture.value_channels as usize;
    let hidden = architecture.value_hidden as usize;
    list.convolution("value.conv", [value, channels, 1, 1]);
    list.norm("value.norm", value);
    list.linear("value.hidden", [hidden, value * 81]);
    list.linear("value.output", [3, hidden]);
    list.0
}

/// A list of tensors that grows.
#[derive(Default)]
pub(crate) struct List(pub(crate) Vec<TensorSpec>);

impl List {
    pub(crate) fn push(&mut self, name: &str, shape: &[usize], role: Role) {
        self.0.push(TensorSpec { name: name.to_owned(), shape: shape.to_vec(), role });
    }

    pub(crate) fn convolution(&mut self, name: &str, shape: [usize; 4]) {
        self.push(&format!("{name}.weight"), &shape, Role::Weight);
    }

    pub(crate) fn linear(&mut self, name: &str, shape: [usize; 2]) {
        self.push(&format!("{name}.weight"), &shape, Role::Weight);
        self.push(&format!("{name}.bias"), &shape[..1], Role::Bias);
    }

    pub(crate) fn norm(&mut self, name: &str, channels: usize) {
        for (part, role) in [
            ("weight", Role::NormScale),
            ("bias", Role::NormShift),
            ("running_mean", Role::RunningMean),
            ("running_var", Role::RunningVar),
        ] {
            self.push(&format!("{name}.{part}"), &[channels], role);
        }
    }
}
