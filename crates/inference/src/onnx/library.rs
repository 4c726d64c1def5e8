use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::logging::LogLevel;

use crate::BackendError;

/// What the shared library of ONNX Runtime is called on this system.
pub const ONNX_RUNTIME_FILE: &str = if cfg!(windows) {
    "onnxruntime.dll"
} else if cfg!(target_os = "macos") {
    "libonnxruntime.dylib"
} else {
    "libonnxruntime.so"
};

const VARIABLE: &str = "ORT_DYLIB_PATH";

/// ONNX Runtime allows one environment a process.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

pub(super) fn environment(library: &Path) -> Result<Environment, BackendError> {
    let mut shared = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*shared {
        return Ok(environment.clone());
    }
    let load = |source| BackendError::Load { path: library.to_owned(), source };
    let environment = ort::init_from(library)
        .map_err(|error| load(error.into()))?
        .with_name("keiko")
        .with_telemetry(false)
        .build()
        .map_err(|error| load(error.into()))?;
    // Who watches this program's standard error is told of errors only.
    environment.set_log_level(LogLevel::Error);
    *shared = Some(environment.clone());
    Ok(environment)
}

/// Looks for the shared library of ONNX Runtime.
///
/// A path given by the caller comes first and is taken as it is. Then, the first that exists of: the file
/// named by the variable `ORT_DYLIB_PATH`; [`ONNX_RUNTIME_FILE`] beside the running program, then in
/// `.deps/onnxruntime/` in the current directory, in the program's, or in a folder above
/// either.
#[must_use]
pub fn find_onnx_runtime(explicit: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = explicit {
        return Some(path.to_owned());
    }
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let current = std::env::current_dir().ok();
    let below = |folder: &Path| folder.join(".deps/onnxruntime").join(ONNX_RUNTIME_FILE);
    variable()
        .into_iter()
        .chain(beside.map(|folder| folder.join(ONNX_RUNTIME_FILE)))
        .chain(current.iter().flat_map(|folder| folder.ancestors()).map(below))
        .chain(beside.iter().flat_map(|folder| folder.ancestors()).map(below))
        .find(|path| path.is_file())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the variable is how every ONNX Runtime program is told where the library is"
)]
fn variable() -> Option<PathBuf> {
    std::env::var(VARIABLE).ok().filter(|path| !path.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_path_is_taken_as_it_is() {
        let path = Path::new("/nowhere/libonnxruntime.so");
        assert_eq!(find_onnx_runtime(Some(path)).as_deref(), Some(path));
    }
}
