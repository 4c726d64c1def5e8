//! What can go wrong inside LibTorch.

/// A failure reported by LibTorch: memory, a device, or a shape that does not fit.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TorchError(#[from] tch::TchError);

/// The result of operations on tensors.
pub(crate) type Torch<T> = Result<T, tch::TchError>;
