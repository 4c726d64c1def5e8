//! `keiko doctor`: whether the programs that play can use a model.

mod file;
mod findings;
mod outputs;
mod sidecars;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use keiko_inference::{OnnxBackend, OnnxOptions, find_onnx_runtime};

use self::findings::Findings;

/// Arguments of `keiko doctor`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Looks at the file, its inputs and outputs, what it computes on known positions in batches of 1, 2 \
and 16, and at the files beside it. Prints a line for each: `ok`, `note` (worth knowing) or `fault` (and what to do). \
The exit code is 1 if there is a fault. The model may be any program's that writes dlshogi's form.\n\n\
Example: keiko doctor models/ayumi/model.onnx"
)]
pub(super) struct Args {
    /// The ONNX file, or the folder that holds it as model.onnx.
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The shared library of ONNX Runtime. Without it: ORT_DYLIB_PATH, then beside this program, then .deps/ in the
    /// folders above.
    #[arg(long, value_name = "FILE")]
    onnxruntime: Option<PathBuf>,
}

impl Args {
    /// The ONNX file.
    fn file(&self) -> PathBuf {
        if self.model.is_dir() { self.model.join("model.onnx") } else { self.model.clone() }
    }
}

/// Examines the model and prints what is found.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut findings = Findings::new(out);
    if let Some(mut backend) = examine(args, &mut findings)? {
        let rate = outputs::positions_a_second(&mut backend)?;
        let text = format!(
            "{rate:.0} positions a second in batches of {} on {} thread(s) of this machine",
            outputs::LARGEST_BATCH,
            threads()
        );
        findings.ok("speed", &text)?;
    }
    let faults = findings.finish()?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The model's backend, if it computes anything. Each part is looked at only if those before it leave something to
/// look at.
fn examine(args: &Args, findings: &mut Findings<'_>) -> anyhow::Result<Option<OnnxBackend>> {
    let Some(model) = file::examine(&args.file(), findings)? else { return Ok(None) };
    let Some(mut backend) = open(args, findings)? else { return Ok(None) };
    let computes = outputs::examine(&mut backend, findings)?;
    let mut backend = computes.then_some(backend);
    sidecars::examine(&args.file(), &model, backend.as_mut(), findings)?;
    Ok(backend)
}

fn threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}

fn open(args: &Args, findings: &mut Findings<'_>) -> anyhow::Result<Option<OnnxBackend>> {
    let Some(library) = find_onnx_runtime(args.onnxruntime.as_deref()) else {
        let advice = "it was not found: run scripts/setup, or name its library by --onnxruntime";
        findings.fault("ONNX Runtime", advice)?;
        return Ok(None);
    };
    match OnnxBackend::open(&args.file(), &OnnxOptions { library, threads: threads() }) {
        Ok(backend) => {
            findings.ok("ONNX Runtime", "it loads the model")?;
            Ok(Some(backend))
        }
        Err(error) => {
            let error = super::message(&error.into());
            findings.fault(
                "ONNX Runtime",
                &format!("{error}: name another library by --onnxruntime, or copy or export the model again"),
            )?;
            Ok(None)
        }
    }
}
