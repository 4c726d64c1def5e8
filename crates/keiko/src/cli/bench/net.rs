//! The nets that are measured: untrained ones, as speed does not depend on what they know.

use std::path::PathBuf;

use anyhow::Context as _;
use keiko_encoding::Context;
use keiko_inference::{
    Backend, BackendError, OnnxBackend, OnnxOptions, RequestBatch, find_onnx_runtime,
};
use keiko_model::{Architecture, Digest, Folded, OnnxMeta, OnnxOutputs, Weights, fold, write_onnx};
use keiko_network::{TorchBackend, TorchOptions};
use keiko_shogi::{DrawValues, Game, MoveList, Rules};

use crate::config::RunConfig;

/// The demonstration's configuration: its games, its search and the head of its net.
const DEMO: &str = include_str!("../../../../../configs/demo.toml");

/// A size of net.
pub(super) struct Net {
    /// `blocks`x`channels`
    pub(super) name: &'static str,
    pub(super) blocks: u32,
    pub(super) channels: u32,
    /// Batches in self-play between two looks at the backend alone.
    pub(super) selfplay_batches: u64,
    /// The same in the search of one game, whose batches are smaller.
    pub(super) play_batches: u64,
}

/// The sizes that are measured, the small one first.
pub(super) const NETS: [Net; 2] = [
    Net { name: "4x32", blocks: 4, channels: 32, selfplay_batches: 128, play_batches: 400 },
    Net { name: "10x128", blocks: 10, channels: 128, selfplay_batches: 10, play_batches: 30 },
];

/// The demonstration's configuration.
pub(super) fn demo() -> anyhow::Result<RunConfig> {
    toml::from_str(DEMO).context("configs/demo.toml, as it was built in")
}

impl Net {
    pub(super) fn architecture(&self) -> anyhow::Result<Architecture> {
        let Self { blocks, channels, .. } = *self;
        Ok(Architecture { blocks, channels, ..demo()?.network })
    }

    fn folded(architecture: &Architecture) -> Folded {
        fold(architecture, &Weights::initial(architecture, 1))
    }

    /// Makes backends of LibTorch as the demonstration asks for.
    pub(super) fn torch(&self) -> anyhow::Result<TorchNet> {
        let architecture = self.architecture()?;
        let options = demo()?.inference.options(0);
        Ok(TorchNet { folded: Self::folded(&architecture), architecture, options })
    }

    /// Writes the net to a file of its own, which lasts as long as what is returned.
    pub(super) fn onnx(&self) -> anyhow::Result<OnnxNet> {
        let architecture = self.architecture()?;
        let meta = OnnxMeta {
            weights_sha256: Digest::of(self.name.as_bytes()),
            outputs: OnnxOutputs::WithWdl,
        };
        let name = format!("keiko-bench-{}-{}.onnx", std::process::id(), self.name);
        let path = std::env::temp_dir().join(name);
        let bytes = write_onnx(&architecture, &Self::folded(&architecture), &meta);
        std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        let library = find_onnx_runtime(None)
            .context("ONNX Runtime was not found: name its library by ORT_DYLIB_PATH")?;
        Ok(OnnxNet { path, options: OnnxOptions { library, threads: 1 } })
    }
}

/// A net that LibTorch computes.
pub(super) struct TorchNet {
    architecture: Architecture,
    folded: Folded,
    options: TorchOptions,
}

impl TorchNet {
    pub(super) fn open(&self) -> Result<Box<dyn Backend>, BackendError> {
        TorchBackend::open(&self.architecture, &self.folded, self.options)
    }
}

/// A file that ONNX Runtime computes, each time on one thread.
pub(super) struct OnnxNet {
    path: PathBuf,
    options: OnnxOptions,
}

impl OnnxNet {
    pub(super) fn open(&self) -> Result<Box<dyn Backend>, BackendError> {
        Ok(Box::new(OnnxBackend::open(&self.path, &self.options)?))
    }
}

impl Drop for OnnxNet {
    fn drop(&mut self) {
        // What is left in the folder for temporary files is the system's to remove.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A full batch of start positions: what is in it does not change the speed.
pub(in crate::cli) fn first_positions(backend: &dyn Backend, rows: usize) -> RequestBatch {
    let game = Game::startpos(Rules::STANDARD);
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let mut batch = RequestBatch::new(backend.encoding(), rows);
    while !batch.is_full() {
        batch.push(&game, &moves, &Context { draw_values: DrawValues::HALF });
    }
    batch
}
