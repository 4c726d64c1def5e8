use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;

use keiko_inference::{Backend, Provider};
use thiserror::Error;

use crate::options::{NetSettings, Options};

/// The options that concern the evaluator. Where they stay the same, the model is not loaded again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRequest {
    /// `DNN_Provider`
    pub provider: Provider,
    /// `Threads`: threads of the CPU in all.
    pub threads: usize,
    /// `DNN_Batch_Size`: rows of the largest batch.
    pub max_rows: usize,
    /// The devices that have batches out.
    pub devices: Vec<DeviceRequest>,
}

/// What one device is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    /// `DNN_Model` of the device, or of the first one where it has none; as given.
    pub path: PathBuf,
    /// Its number, from 0.
    pub device: u32,
    /// `UCT_Threads`: batches out at the same time.
    pub lanes: usize,
}

impl ModelRequest {
    pub(super) fn of(options: &Options) -> ModelRequest {
        let first = &options.models[0];
        let devices = (0..)
            .zip(options.models.iter().zip(options.uct_threads))
            .filter(|(_, (_, lanes))| *lanes > 0)
            .map(|(device, (path, lanes))| DeviceRequest {
                path: if path.as_os_str().is_empty() { first.clone() } else { path.clone() },
                device,
                lanes: lanes as usize,
            })
            .collect();
        ModelRequest {
            provider: options.provider,
            threads: options.threads as usize,
            max_rows: options.batch_size as usize,
            devices,
        }
    }
}

/// A model that is ready to evaluate.
pub struct LoadedModel {
    /// What evaluates.
    pub backend: Box<dyn Backend>,
    /// How it wants to be searched with, by the files beside it.
    pub settings: NetSettings,
}

impl LoadedModel {
    /// A model that has nothing to say of itself.
    pub fn new(backend: impl Backend + 'static) -> LoadedModel {
        LoadedModel { backend: Box::new(backend), settings: NetSettings::default() }
    }
}

impl Debug for LoadedModel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = self.backend.name();
        f.debug_struct("LoadedModel").field("backend", &name).finish_non_exhaustive()
    }
}

/// A model could not be loaded.
#[derive(Debug, Error)]
#[error("cannot load {path}: {reason}", path = path.display(), reason = with_sources(&**reason))]
pub struct LoadError {
    /// The file asked for.
    pub path: PathBuf,
    /// Why not.
    pub reason: Box<dyn Error + Send + Sync>,
}

/// An error's text and those of all that caused it.
pub fn with_sources(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

/// Makes evaluators. It is called on the search thread and may take its time.
pub trait ModelLoader: Send {
    /// Opens what `request` asks for.
    ///
    /// # Errors
    /// The text is shown to the user.
    fn load(&mut self, request: &ModelRequest) -> Result<LoadedModel, LoadError>;
}

impl<F> ModelLoader for F
where
    F: FnMut(&ModelRequest) -> Result<LoadedModel, LoadError> + Send,
{
    fn load(&mut self, request: &ModelRequest) -> Result<LoadedModel, LoadError> {
        self(request)
    }
}
