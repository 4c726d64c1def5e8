use std::fmt::{self, Display, Formatter};
use std::path::Path;

use keiko_encoding::EncodingId;
use ort::ep::{CUDA, DirectML, ExecutionProvider, ExecutionProviderDispatch, TensorRT};

use super::interface::INPUTS;

/// What of ONNX Runtime computes: one of its execution providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Provider {
    /// The CPU, which every library has.
    #[default]
    Cpu,
    /// NVIDIA GPUs by CUDA.
    Cuda,
    /// NVIDIA GPUs by TensorRT, and by CUDA what TensorRT cannot.
    TensorRt,
    /// GPUs under Windows by DirectML.
    DirectMl,
}

/// The device that computes a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// What computes.
    pub provider: Provider,
    /// Which of its devices, from 0; of no meaning on the CPU.
    pub device: u32,
    /// The largest batch that will be computed, in rows; TensorRT prepares for it.
    pub max_rows: usize,
}

impl Provider {
    /// All of them.
    pub const ALL: [Provider; 4] =
        [Provider::Cpu, Provider::Cuda, Provider::TensorRt, Provider::DirectMl];

    /// Its name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Provider::Cpu => "cpu",
            Provider::Cuda => "cuda",
            Provider::TensorRt => "tensorrt",
            Provider::DirectMl => "directml",
        }
    }

    /// Whether the library of this process, which must be loaded, has it.
    pub(super) fn is_available(self) -> bool {
        let asked = match self {
            Provider::Cpu => Ok(true),
            Provider::Cuda => CUDA::is_available(),
            Provider::TensorRt => TensorRT::is_available(),
            Provider::DirectMl => DirectML::is_available(),
        };
        asked.unwrap_or(false)
    }
}

impl Display for Provider {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Placement {
    /// On the CPU.
    pub const CPU: Placement = Placement { provider: Provider::Cpu, device: 0, max_rows: 1 };

    /// What to register, in the order of preference; none for the CPU. Each fails where its device or a library it needs is
    /// missing.
    pub(super) fn register(
        self,
        encoding: EncodingId,
        model: &Path,
    ) -> Vec<ExecutionProviderDispatch> {
        let device = i32::try_from(self.device).unwrap_or(i32::MAX);
        let cuda = || CUDA::default().with_device_id(device).build().error_on_failure();
        match self.provider {
            Provider::Cpu => Vec::new(),
            Provider::Cuda => vec![cuda()],
            Provider::DirectMl => {
                vec![DirectML::default().with_device_id(device).build().error_on_failure()]
            }
            Provider::TensorRt => {
                let most = self.max_rows.max(1);
                let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                let tensorrt = TensorRT::default()
                    .with_device_id(device)
                    .with_engine_cache(true)
                    .with_engine_cache_path(folder.display())
                    .with_profile_min_shapes(shapes(encoding, 1))
                    .with_profile_opt_shapes(shapes(encoding, most))
                    .with_profile_max_shapes(shapes(encoding, most));
                vec![tensorrt.build().error_on_failure(), cuda()]
            }
        }
    }
}

/// The inputs' shapes at a number of rows, as TensorRT is told them.
fn shapes(encoding: EncodingId, rows: usize) -> String {
    let mut text = format!("{}:{rows}x{}x9x9", INPUTS[0], encoding.planes1());
    text += &format!(",{}:{rows}x{}x9x9", INPUTS[1], encoding.planes2());
    if encoding.scalars() > 0 {
        text += &format!(",{}:{rows}x{}", INPUTS[2], encoding.scalars());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_name_every_input() {
        assert_eq!(shapes(EncodingId::Dlshogi57, 8), "input1:8x62x9x9,input2:8x57x9x9");
        let ours = shapes(EncodingId::Keiko1, 1);
        assert!(ours.starts_with("input1:1x62x9x9,input2:1x119x9x9,input3:1x"), "{ours}");
    }
}
