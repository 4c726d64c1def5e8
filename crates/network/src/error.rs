//! What can go wrong inside LibTorch.

use tch::TchError;

/// A failure reported by LibTorch.
#[derive(Debug, thiserror::Error)]
pub enum TorchError {
    /// The device, or the machine, has no memory left for what it was asked; in the words of who refused it.
    #[error("no memory is left: {0}")]
    OutOfMemory(String),
    /// A device that fails, a shape that does not fit, or anything else.
    #[error(transparent)]
    Failed(TchError),
}

/// The result of operations on tensors.
pub(crate) type Torch<T> = Result<T, TchError>;

impl From<TchError> for TorchError {
    fn from(error: TchError) -> Self {
        match error {
            TchError::Torch(text) if tells_of_no_memory(&text) => {
                // Where it was thrown follows, line by line.
                Self::OutOfMemory(text.lines().next().unwrap_or_default().trim_end().to_owned())
            }
            other => Self::Failed(other),
        }
    }
}

/// How C++, the CPU, CUDA, cuBLAS, cuDNN and oneDNN say that memory was refused, in small letters.
const NO_MEMORY: [&str; 7] = [
    "out of memory",
    "out_of_memory",
    "not enough memory",
    "cannot allocate memory",
    "can't allocate memory",
    "status_alloc_failed",
    "bad_alloc",
];

fn tells_of_no_memory(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    NO_MEMORY.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use tch::{Device, Kind, Tensor};

    use super::*;

    fn of(text: &str) -> TorchError {
        TchError::Torch(text.to_owned()).into()
    }

    #[test]
    fn memory_that_is_refused_is_told_from_other_failures() {
        for text in [
            "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 139.81 GiB of which 4.00 MiB is free.",
            "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate \
             4096 bytes. Error code 12 (Cannot allocate memory)",
            "CUDA error: out of memory",
            "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
            "cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
            "GET was unable to find an engine to execute this computation: cuDNN ran out of memory",
            "std::bad_alloc",
        ] {
            let thrown = format!(
                "{text}\nException raised from allocate (most recent call first):\nframe #0: .."
            );
            match of(&thrown) {
                TorchError::OutOfMemory(said) => assert_eq!(said, text),
                TorchError::Failed(error) => panic!("{error}"),
            }
        }
        for text in [
            "CUDA error: device-side assert triggered",
            "CUDA error: an illegal memory access was encountered",
            "Expected all tensors to be on the same device",
            "",
        ] {
            assert!(matches!(of(text), TorchError::Failed(_)), "{text}");
        }
    }

    #[test]
    fn what_libtorch_refuses_on_a_processor_is_out_of_memory() {
        let refused = Tensor::f_zeros([1 << 50], (Kind::Float, Device::Cpu));
        let error = TorchError::from(refused.expect_err("no machine has four petabytes"));
        assert!(matches!(&error, TorchError::OutOfMemory(_)), "{error}");
        let said = error.to_string();
        assert!(said.starts_with("no memory is left: ") && said.lines().count() == 1, "{said}");
        let wrong = Tensor::zeros([2, 3], (Kind::Float, Device::Cpu)).f_reshape([7]);
        let error = TorchError::from(wrong.expect_err("6 numbers are not 7"));
        assert!(matches!(error, TorchError::Failed(_)), "{error}");
    }
}
