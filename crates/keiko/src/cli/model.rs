//! A net by the path of its file or folder, in a run or not.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use keiko_inference::{Backend, BackendError, OnnxBackend, OnnxOptions, find_onnx_runtime};
use keiko_model::{Digest, Folded, Manifest, Weights};
use keiko_network::{TorchBackend, TorchOptions};

use crate::config::InferenceSection;

/// A net, and what computes it.
pub(super) enum Model {
    /// An ONNX file, by ONNX Runtime on the CPU.
    Onnx(PathBuf, OnnxOptions),
    /// A folder with weights and manifest, by LibTorch on the device of the settings.
    Torch(Box<Torch>),
}

pub(super) struct Torch {
    manifest: Manifest,
    folded: Folded,
    options: TorchOptions,
}

impl Model {
    /// An evaluator for one thread.
    pub(super) fn open(&self) -> Result<Box<dyn Backend>, BackendError> {
        match self {
            Model::Onnx(path, options) => Ok(Box::new(OnnxBackend::open(path, options)?)),
            Model::Torch(net) => {
                let Torch { manifest, folded, options } = &**net;
                TorchBackend::open(&manifest.architecture, folded, *options)
            }
        }
    }

    /// Finds the net of a file or folder.
    pub(super) fn read(path: &Path, inference: &InferenceSection) -> anyhow::Result<Self> {
        let options = inference.options(0);
        let weights = path.join("weights.safetensors");
        if weights.is_file() {
            inference.open_devices()?;
            let read =
                |path: &Path| std::fs::read(path).with_context(|| path.display().to_string());
            let manifest_path = path.join("manifest.toml");
            let text = String::from_utf8(read(&manifest_path)?)
                .with_context(|| manifest_path.display().to_string())?;
            let manifest =
                Manifest::from_toml(&text).with_context(|| manifest_path.display().to_string())?;
            let bytes = read(&weights)?;
            if Digest::of(&bytes) != manifest.weights_sha256 {
                bail!("{} is not the one that its manifest names", weights.display());
            }
            let tensors = Weights::read_safetensors(&bytes, &manifest.architecture)
                .with_context(|| weights.display().to_string())?;
            let folded = keiko_model::fold(&manifest.architecture, &tensors);
            return Ok(Self::Torch(Box::new(Torch { manifest, folded, options })));
        }
        let file = if path.is_dir() { path.join("model.onnx") } else { path.to_owned() };
        if !file.is_file() {
            bail!("model {}: there is no such file", file.display());
        }
        let library = find_onnx_runtime(None).context(
            "ONNX Runtime was not found: name its library by the variable ORT_DYLIB_PATH",
        )?;
        Ok(Self::Onnx(file, OnnxOptions { library, threads: options.threads }))
    }
}
