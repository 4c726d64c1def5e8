//! The models of a run: `models/<sha256>/{weights.safetensors, manifest.toml, model.onnx}`.

use anyhow::{Context as _, bail};
use std::path::PathBuf;

use keiko_arena::gate::Verdict;
use keiko_model::{
    Architecture, Digest, Folded, Manifest, OnnxMeta, OnnxOutputs, SelfTest, Weights,
};
use keiko_store::Store as _;

use super::Run;

/// A model in memory.
#[derive(Debug)]
pub(crate) struct Model {
    architecture: Architecture,
    weights: Weights,
    sha256: Digest,
    self_tests: Vec<(SelfTest, Vec<u8>)>,
}

impl Model {
    /// Its shape.
    pub(crate) fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Its weights.
    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The net as it is computed in play.
    pub(crate) fn folded(&self) -> Folded {
        keiko_model::fold(&self.architecture, &self.weights)
    }

    /// Positions whose outputs are known, with their rows.
    pub(crate) fn self_tests(&self) -> &[(SelfTest, Vec<u8>)] {
        &self.self_tests
    }
}

impl Run {
    /// The manifest of a model of this run.
    pub(crate) fn manifest(&self, sha256: &str) -> anyhow::Result<Manifest> {
        let key = format!("models/{sha256}/manifest.toml");
        let text = String::from_utf8(self.store.get(&key)?).with_context(|| key.clone())?;
        Manifest::from_toml(&text).with_context(|| key)
    }

    /// Reads a model of this run and checks it against its name and its manifest.
    pub(crate) fn model(&self, sha256: &str) -> anyhow::Result<Model> {
        let manifest = self.manifest(sha256)?;
        let key = format!("models/{sha256}/weights.safetensors");
        let bytes = self.store.get(&key)?;
        let found = Digest::of(&bytes);
        if found.to_string() != sha256 {
            bail!("{key} is damaged: its sha256 is {found}");
        }
        let architecture = manifest.architecture;
        if architecture.encoding != self.config.network.encoding {
            bail!(
                "models/{sha256}/manifest.toml: architecture.encoding is {}, but this run's is {}",
                architecture.encoding,
                self.config.network.encoding
            );
        }
        let weights =
            Weights::read_safetensors(&bytes, &architecture).with_context(|| key.clone())?;
        let self_tests = manifest.self_tests.into_iter().map(|test| {
            let row = self.probe(&test.position)?.row;
            Ok((test, row))
        });
        let self_tests = self_tests.collect::<anyhow::Result<_>>()?;
        Ok(Model { architecture, weights, sha256: found, self_tests })
    }
}

impl Model {
    /// The net as ONNX, with dlshogi's inputs and outputs.
    pub(crate) fn onnx(&self) -> Vec<u8> {
        let meta = OnnxMeta { weights_sha256: self.sha256, outputs: OnnxOutputs::Dlshogi };
        keiko_model::write_onnx(&self.architecture, &self.folded(), &meta)
    }
}

impl Run {
    /// Makes sure that the champion can play and has its ONNX, which is made again where it is gone.
    pub(super) fn check_champion(&self) -> anyhow::Result<()> {
        let sha256 = self.champions().current()?.model;
        let model = self.model(&sha256).context(
            "the model that the newest entry of champion names cannot be had; put back from a copy of the run what is damaged of \
             the two",
        )?;
        if !self.store.exists(&onnx_key(&sha256))? {
            self.store.put_same(&onnx_key(&sha256), &model.onnx())?;
        }
        Ok(())
    }

    /// Writes a model's `model.onnx` beside its weights.
    pub(crate) fn write_onnx(&self, sha256: &str) -> anyhow::Result<()> {
        let onnx = self.model(sha256)?.onnx();
        self.store.put_same(&onnx_key(sha256), &onnx)?;
        Ok(())
    }

    /// Where a model's ONNX is.
    pub(crate) fn onnx_path(&self, sha256: &str) -> PathBuf {
        self.dir.join(onnx_key(sha256))
    }

    /// The gate's verdict on a model, if it was judged.
    pub(crate) fn verdict(&self, sha256: &str) -> anyhow::Result<Option<Verdict>> {
        let key = format!("gate/{sha256}/verdict.toml");
        if !self.store.exists(&key)? {
            return Ok(None);
        }
        let text = String::from_utf8(self.store.get(&key)?).with_context(|| key.clone())?;
        Ok(Some(Verdict::from_toml(&text).with_context(|| key)?))
    }

    /// The full sha256 of the one model whose sha256 begins with `start`.
    pub(crate) fn model_named(&self, start: &str) -> anyhow::Result<String> {
        let mut names: Vec<String> = self
            .store
            .list_after("models", "")?
            .iter()
            .filter_map(|key| key.split('/').nth(1))
            .filter(|name| name.starts_with(start))
            .map(str::to_owned)
            .collect();
        names.dedup();
        match names.as_slice() {
            [one] => Ok(one.clone()),
            [] => bail!("no model of {} begins with {start:?}", self.dir.display()),
            several => {
                bail!("{} models of {} begin with {start:?}", several.len(), self.dir.display())
            }
        }
    }
}

fn onnx_key(sha256: &str) -> String {
    format!("models/{sha256}/model.onnx")
}
