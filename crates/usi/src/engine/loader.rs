use std::error::Error;
use std::path::PathBuf;

use keiko_inference::Backend;
use thiserror::Error;

use crate::options::Options;

/// The options that concern the evaluator. Where they stay the same, the model is not loaded again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRequest {
    /// `DNN_Model`, as given.
    pub path: PathBuf,
    /// `Threads`
    pub threads: usize,
}

impl ModelRequest {
    pub(super) fn of(options: &Options) -> ModelRequest {
        ModelRequest { path: options.model.clone(), threads: options.threads as usize }
    }
}

/// A model could not be loaded.
#[derive(Debug, Error)]
#[error("cannot load {path}: {reason}")]
pub struct LoadError {
    /// The file asked for.
    pub path: PathBuf,
    /// Why not.
    pub reason: Box<dyn Error + Send + Sync>,
}

/// Makes evaluators. It is called on the search thread and may take its time.
pub trait ModelLoader: Send {
    /// Opens what `request` asks for.
    ///
    /// # Errors
    /// The text is shown to the user.
    fn load(&mut self, request: &ModelRequest) -> Result<Box<dyn Backend>, LoadError>;
}

impl<F> ModelLoader for F
where
    F: FnMut(&ModelRequest) -> Result<Box<dyn Backend>, LoadError> + Send,
{
    fn load(&mut self, request: &ModelRequest) -> Result<Box<dyn Backend>, LoadError> {
        self(request)
    }
}
