//! Requests to batches, and the backends that need no LibTorch.
