//! What a model is, without LibTorch.
