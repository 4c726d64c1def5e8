//! What a model is, without LibTorch: its architecture, its weights, its manifest, and its ONNX
//! form.
//!
//! [`tensors()`] is the single list of what a net consists of: training, the safetensors files and
//! every export follow its names, shapes and order. A net for play has its BatchNorm layers folded
//! into the convolutions ([`fold()`]); what the folded net computes is written down once, slowly and
//! plainly, in [`mod@reference`], and every fast backend is checked against it.
//!
//! ```text
//! planes [n, planes, 9, 9]
//!   -> conv 3x3, norm, act                                  (input)
//!   -> blocks x { conv 3x3, norm, act, conv 3x3, norm,
//!                 (squeeze-excitation scale,) + skip, act }
//!   -> policy: conv 1x1 to 27 planes, + bias a label        = 2,187 logits
//!   -> value:  conv 1x1, norm, act, linear, act, linear     = 3 logits: win, draw, loss
//! ```
//!
//! Training may add heads of its own to the trunk ([`Head`]). Their tensors stand behind a net's in training and in its
//! checkpoints, and in no model: a net for play is the same with and without them.
//!
//! This crate knows nothing of games: positions appear in it as rows of `keiko-encoding`.

mod activation;
mod architecture;
mod digest;
mod folded;
mod heads;
mod manifest;
mod onnx;
pub mod reference;
mod tensors;
mod weights;

pub use activation::Activation;
pub use architecture::{Architecture, ArchitectureError, MAX_PARAMETERS};
pub use digest::{Digest, DigestError};
pub use folded::{Block, Folded, Gate, Layer, NORM_EPSILON, fold};
pub use heads::Head;
pub use manifest::{
    Lineage, MANIFEST_VERSION, Manifest, ManifestError, SelfTest, SelfTestMismatch, Tolerance,
};
pub use onnx::{
    MAX_ONNX_BYTES, ONNX_OPSETS, OnnxInfo, OnnxInfoError, OnnxMeta, OnnxOutputs, OnnxRefused,
    OnnxTensor, read_onnx_info, write_onnx,
};
pub use tensors::{Role, TensorSpec, tensors};
pub use weights::{ReadWeightsError, Tensor, Weights, WeightsError};
