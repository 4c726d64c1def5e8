//! `keiko export`: a model for the programs that play.

mod card;
mod kit;
mod options;
mod reference;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use keiko_model::{Digest, Manifest};

use super::output::Output;
use crate::run::{Model, Run};

/// Arguments of `keiko export`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes OUT, and beside it what engines look for: OUT.ini (dlshogi), eval_options.txt \
(FukauraOu) and manifest.toml (where the model comes from). A device or a pipe, such as /dev/stdout, gets \
the model alone.\n\n\
With --kit it makes a new folder to hand to a player instead: the engine keiko-usi, ONNX Runtime, the model with \
these files, its card, and how to play with it in ShogiHome, ShogiGUI and Shogidokoro. The folder may be moved \
and needs nothing else.\n\n\
Examples:\n  keiko export --run data/runs/demo --out model/model.onnx\n  keiko export --run data/runs/demo --kit kit"
)]
pub(super) struct Args {
    /// The run's folder.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Which model: its sha256, or the beginning of it. Without it, the champion.
    #[arg(long, value_name = "SHA256")]
    model: Option<String>,
    /// The ONNX file to write.
    #[arg(long, value_name = "FILE", required_unless_present = "kit")]
    out: Option<PathBuf>,
    /// Also write what LibTorch computes for the SFENs of a list, as JSON, to compare other programs with.
    #[arg(long, value_name = "SFEN-FILE")]
    reference: Option<PathBuf>,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
    /// The folder to make for a player; there must be nothing of this name yet.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "reference", "force"])]
    kit: Option<PathBuf>,
    /// The engine of the kit. Without it, keiko-usi beside this program.
    #[arg(long, value_name = "FILE", requires = "kit")]
    engine: Option<PathBuf>,
    /// ONNX Runtime's shared library for the kit. Without it: ORT_DYLIB_PATH, then beside this program, then .deps/ in
    /// the folders above.
    #[arg(long, value_name = "FILE", requires = "kit")]
    onnxruntime: Option<PathBuf>,
}

/// Writes the files and says which.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let run = Run::look(&args.run)?;
    let sha256 = match &args.model {
        Some(start) => run.model_named(start)?,
        None => run.champions().current()?.model,
    };
    let model = run.model(&sha256)?;
    if let Some(dir) = &args.kit {
        let programs = kit::Programs::find(args.engine.as_deref(), args.onnxruntime.as_deref())?;
        let files = files_beside("model.onnx".as_ref(), &run, &sha256, &model)?;
        kit::write(dir, &programs, &files, &card::Card::of(&run, &sha256)?)?;
        writeln!(out, "{}", dir.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = args.out.as_deref().context("give --out or --kit")?;
    let asked = Output::at(path)?;
    if asked.is_stream() {
        if args.reference.is_some() {
            bail!("--reference writes a file beside --out: name a plain file there");
        }
        asked.write(&model.onnx())?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().context("--out names no file")?;
    let mut files = files_beside(name, &run, &sha256, &model)?;
    if let Some(list) = &args.reference {
        let json = reference::reference(&run, &model, list)?;
        files.push((with_ending(name, ".reference.json"), json.into_bytes()));
    }
    let files = files
        .into_iter()
        .map(|(name, bytes)| Ok((Output::at(&folder.join(name))?, bytes)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    for (file, _) in &files {
        file.check_free(args.force)?;
    }
    for (file, bytes) in &files {
        file.write(bytes)?;
        writeln!(out, "{}", file.path().display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The model and the files that belong beside it, by name.
fn files_beside(
    name: &OsStr,
    run: &Run,
    sha256: &str,
    model: &Model,
) -> anyhow::Result<Vec<(OsString, Vec<u8>)>> {
    let search = &run.config().search;
    let eval_options = options::eval_options(search, model.architecture().encoding);
    let onnx = model.onnx();
    let manifest = Manifest { onnx_sha256: Some(Digest::of(&onnx)), ..run.manifest(sha256)? };
    Ok(vec![
        (name.to_owned(), onnx),
        (with_ending(name, ".ini"), options::ini(search).into_bytes()),
        ("eval_options.txt".into(), eval_options.into_bytes()),
        ("manifest.toml".into(), manifest.to_toml().into_bytes()),
    ])
}

fn with_ending(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(ending);
    name
}
