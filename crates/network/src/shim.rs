//! Opens LibTorch's CUDA part at run time: the one module of this crate with unsafe code.
//!
//! The programs are linked against the CPU part only, so that one binary serves machines with and
//! without a GPU. LibTorch learns of CUDA when `libtorch_cuda.so` is loaded, which must happen
//! before the first question about devices.

use std::error::Error as _;
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

/// Why CUDA cannot be used, once it was tried.
static CUDA: OnceLock<Result<(), String>> = OnceLock::new();

/// Loads the CUDA part of LibTorch, once in a process.
///
/// # Errors
///
/// The dynamic loader's message, where the library or one of its own libraries is missing.
pub(crate) fn load_cuda() -> Result<(), String> {
    CUDA.get_or_init(open).clone()
}

#[expect(unsafe_code, reason = "the dynamic loader has no safe interface")]
fn open() -> Result<(), String> {
    // SAFETY: the initialisers of libtorch_cuda.so are written to run in a process that has
    // loaded libtorch_cpu.so, as this one has by its link; they only register kernels.
    let library = unsafe { Library::open(Some("libtorch_cuda.so"), RTLD_NOW | RTLD_GLOBAL) };
    // Registered kernels stay in use until the process ends, so the library must never close.
    library.map(std::mem::forget).map_err(|error| {
        // The error itself says only what failed.
        error.source().map_or_else(|| error.to_string(), ToString::to_string)
    })
}
