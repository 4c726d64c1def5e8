//! `keiko-usi`: the engine for a shogi GUI. It needs ONNX Runtime and a model, and no LibTorch.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use keiko_inference::{Backend, OnnxBackend, OnnxOptions, Parallel, find_onnx_runtime};
use keiko_usi::engine::{self, Identity, LoadError, ModelRequest};
use keiko_usi::options::Options;

/// Plays shogi by the USI protocol with a network in an ONNX file.
///
/// A GUI starts this program and talks to it; by hand, try the lines "usi", "isready", "position startpos" and
/// "go nodes 100".
#[derive(Debug, Parser)]
#[command(name = "keiko-usi", version)]
struct Arguments {
    /// The network; default of the option DNN_Model. Without it, model.onnx beside this program.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The shared library of ONNX Runtime. Without it: ORT_DYLIB_PATH, then beside this program, then .deps/ in the
    /// folders above.
    #[arg(long, value_name = "FILE")]
    onnxruntime: Option<PathBuf>,
}

fn main() -> ExitCode {
    match keiko_shogi::check_cpu() {
        Ok(()) => run(),
        Err(error) => error.refuse("keiko-usi"),
    }
}

#[inline(never)]
fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let mut options = Options::defaults();
    if let Some(model) = arguments.model {
        options.model = std::path::absolute(&model).unwrap_or(model);
    }
    let runtime = arguments.onnxruntime;
    let loader = move |request: &ModelRequest| load(request, runtime.as_deref());
    let identity = Identity {
        name: format!("keiko {}", env!("CARGO_PKG_VERSION")),
        author: "the keiko developers".to_owned(),
    };
    // A GUI that has closed the pipe is gone, which is an end like any other.
    match engine::run(BufReader::new(io::stdin()), io::stdout(), loader, &identity, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn load(request: &ModelRequest, runtime: Option<&Path>) -> Result<Box<dyn Backend>, LoadError> {
    let path = beside_program(&request.path);
    let fail = |reason| LoadError { path: path.clone(), reason };
    if !path.is_file() {
        return Err(fail("there is no such file".into()));
    }
    let library = find_onnx_runtime(runtime).ok_or_else(|| {
        fail("ONNX Runtime was not found: name its library by --onnxruntime".into())
    })?;
    let open = |threads| -> Result<Box<dyn Backend>, LoadError> {
        let options = OnnxOptions { library: library.clone(), threads };
        let backend = OnnxBackend::open(&path, &options).map_err(|error| fail(Box::new(error)))?;
        Ok(Box::new(backend))
    };
    // Two halves, of which one computes while the search deals with what the other has computed.
    let (first, second) = (request.threads.div_ceil(2), request.threads / 2);
    if second == 0 {
        return open(first);
    }
    Ok(Box::new(Parallel::new(vec![open(first)?, open(second)?])))
}

/// A relative path is meant beside this program; where there is nothing, in the current folder.
fn beside_program(path: &Path) -> PathBuf {
    let folder = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
    let beside = folder.map(|folder| folder.join(path)).filter(|path| path.is_file());
    beside.unwrap_or_else(|| path.to_owned())
}
