//! `keiko-usi`: the engine for a shogi GUI. It needs ONNX Runtime and a model, and no LibTorch.

use std::io::{self, BufReader, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use keiko_usi::engine::{self, Identity, ModelLoader as _, ModelRequest};
use keiko_usi::onnx_loader::OnnxLoader;
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
    for (argument, file) in
        [("--model", &arguments.model), ("--onnxruntime", &arguments.onnxruntime)]
    {
        if let Some(file) = file
            && !file.is_file()
        {
            return complain(&format!("{argument} {}: there is no such file", file.display()));
        }
    }
    if let Some(model) = arguments.model {
        options.models[0] = std::path::absolute(&model).unwrap_or(model);
    }
    let mut onnx = OnnxLoader { library: arguments.onnxruntime };
    let loader = move |request: &ModelRequest| {
        onnx.load(request).inspect_err(|error| {
            complain(&error.to_string());
        })
    };
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

fn complain(text: &str) -> ExitCode {
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "keiko-usi: {text}");
    ExitCode::FAILURE
}
