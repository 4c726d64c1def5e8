//! What is kept beside a model's weights.

mod self_test;

use serde::{Deserialize, Serialize};

use crate::architecture::Architecture;
use crate::digest::Digest;

pub use self_test::{SelfTest, SelfTestMismatch, Tolerance};

/// The version of [`Manifest`] that this program writes and reads.
pub const MANIFEST_VERSION: u32 = 1;

/// Name, shape, origin and expected outputs of a model; the file `manifest.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`MANIFEST_VERSION`].
    pub version: u32,
    /// A name a person can tell from others.
    pub name: String,
    /// Digest of the model's safetensors file: the model's identity.
    pub weights_sha256: Digest,
    /// Digest of the ONNX file that this manifest was exported with; none in a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onnx_sha256: Option<Digest>,
    /// The net's shape, and the encoding it reads.
    pub architecture: Architecture,
    /// Where the weights come from.
    pub lineage: Lineage,
    /// Outputs on fixed positions, by which a backend can be checked wherever the model is used.
    #[serde(default, rename = "self_test", skip_serializing_if = "Vec::is_empty")]
    pub self_tests: Vec<SelfTest>,
}

/// Where weights come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lineage {
    /// Name of the run that trained them.
    pub run: String,
    /// Optimiser steps taken, 0 for untrained weights.
    pub step: u64,
    /// Rows (positions, repeats included) trained on.
    pub rows: u64,
    /// Shards that had entered the window.
    pub shards: u64,
    /// Digest of the run's resolved configuration.
    pub config_sha256: Digest,
}

/// Text that is no manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Text that is not TOML of this form; the error names line and field.
    #[error("manifest is not valid")]
    Toml(#[from] toml::de::Error),
    /// A manifest of another version.
    #[error("manifest has version {0}, this program reads {MANIFEST_VERSION}")]
    Version(u32),
    /// A self-test that no net of the architecture can pass.
    #[error("self-test {index}: {reason}")]
    SelfTest {
        /// Its place in the list.
        index: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
}

/// The version alone, read first so that a manifest of a later version is called just that.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Manifest {
    /// Reads the text of a `manifest.toml`.
    ///
    /// # Errors
    ///
    /// [`ManifestError`] names what is wrong.
    pub fn from_toml(text: &str) -> Result<Self, ManifestError> {
        let Version { version } = toml::from_str(text)?;
        if version != MANIFEST_VERSION {
            return Err(ManifestError::Version(version));
        }
        let manifest: Self = toml::from_str(text)?;
        for (index, test) in manifest.self_tests.iter().enumerate() {
            test.validate().map_err(|reason| ManifestError::SelfTest { index, reason })?;
        }
        Ok(manifest)
    }

    /// The text of the `manifest.toml`, the same for the same manifest.
    #[expect(clippy::missing_panics_doc, reason = "no manifest is beyond TOML")]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a manifest has only tables, numbers and text")
    }
}
