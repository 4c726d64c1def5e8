//! The files beside a model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use keiko_encoding::EncodingId;
use keiko_inference::{Backend, OnnxBackend, RequestBatch};
use keiko_model::{Manifest, SelfTest, Tolerance};
use keiko_usi::options::NetFile;

use super::file::{Model, read_bounded};
use super::findings::Findings;
use super::outputs;
use crate::cli::message;

/// The longest file beside a model that is read; a manifest has some ten kilobytes.
const MAX_BYTES: usize = 1 << 20;

/// FukauraOu's option that names the planes.
const PLANES: &str = "ModelArchitecture";

/// Looks at the files beside the model at `path`; with its backend, also whether it computes what its manifest says.
pub(super) fn examine(
    path: &Path,
    model: &Model,
    backend: Option<&mut OnnxBackend>,
    findings: &mut Findings<'_>,
) -> anyhow::Result<()> {
    let settings = |file: NetFile| move |text: &str| strict(file, text);
    let (ini, eval) = (NetFile::Ini, NetFile::EvalOptions);
    let ini = read("dlshogi's options", ini.path(path), settings(ini), findings)?;
    let eval = read("FukauraOu's options", eval.path(path), settings(eval), findings)?;
    options(model.encoding, ini.as_ref(), eval.as_ref(), findings)?;
    let parse = |text: &str| Manifest::from_toml(text).map_err(|error| message(&error.into()));
    let manifest = read("manifest", path.with_file_name("manifest.toml"), parse, findings)?;
    match manifest {
        Some(manifest) => compare(&manifest, model, backend, findings),
        None => Ok(()),
    }
}

/// Options by name.
type Options = BTreeMap<String, String>;

/// The options of a file in which nothing is wrong.
fn strict(file: NetFile, text: &str) -> Result<Options, String> {
    let read = file.parse(text);
    match read.problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(read.settings.into_iter().map(|it| (it.name, it.value)).collect()),
    }
}

/// What a file holds; a file that is missing is noted, one that cannot be read is a fault.
fn read<T>(
    what: &str,
    path: PathBuf,
    parse: impl FnOnce(&str) -> Result<T, String>,
    findings: &mut Findings<'_>,
) -> anyhow::Result<Option<T>> {
    if path.symlink_metadata().is_err_and(|e| e.kind() == std::io::ErrorKind::NotFound) {
        findings.note(what, &format!("none: {} does not exist", path.display()))?;
        return Ok(None);
    }
    let read = read_bounded(&path, MAX_BYTES).and_then(|bytes| {
        let text = String::from_utf8(bytes).map_err(|error| error.to_string());
        text.and_then(|text| parse(&text)).map_err(|e| format!("{}: {e}", path.display()))
    });
    match read {
        Ok(content) => Ok(Some(content)),
        Err(problem) => {
            findings.fault(what, &format!("{problem}: mend it, or export the model again"))?;
            Ok(None)
        }
    }
}

/// Whether an option is one of the constants that both programs take as whole numbers.
fn is_constant(name: &str) -> bool {
    name.starts_with("C_") || ["Softmax_Temperature", "Eval_Coef"].contains(&name)
}

/// Whether the options can be those of this model, and are the same for both programs.
fn options(
    encoding: EncodingId,
    ini: Option<&Options>,
    eval: Option<&Options>,
    findings: &mut Findings<'_>,
) -> std::io::Result<()> {
    let mut faults = Vec::new();
    let all = || [ini, eval].into_iter().flatten().flatten();
    for (name, value) in all().filter(|(name, _)| is_constant(name)) {
        if value.parse::<u32>().is_err() {
            faults.push(format!("{name} is {value}, not a whole number"));
        }
    }
    let planes = match encoding {
        EncodingId::Dlshogi57 => "dlshogi-WCSC28",
        EncodingId::Dlshogi119 => "dlshogi-WCSC35",
        EncodingId::Keiko1 => "none of FukauraOu's",
    };
    for (_, value) in all().filter(|(name, value)| name.as_str() == PLANES && *value != planes) {
        faults.push(format!("{PLANES} is {value}, but the model reads {encoding} ({planes})"));
    }
    if let (Some(ini), Some(eval)) = (ini, eval) {
        for (name, value) in ini {
            if let Some(other) = eval.get(name).filter(|&other| other != value) {
                faults.push(format!("{name} is {value} for dlshogi and {other} for FukauraOu"));
            }
        }
    }
    if let Some(fault) = faults.first() {
        return findings.fault("options", &format!("{fault}: mend it, or export the model again"));
    }
    match ini.map_or(0, Options::len) + eval.map_or(0, Options::len) {
        0 => Ok(()),
        _ => findings.ok("options", "those beside the model fit it and agree"),
    }
}

fn compare(
    manifest: &Manifest,
    model: &Model,
    backend: Option<&mut OnnxBackend>,
    findings: &mut Findings<'_>,
) -> anyhow::Result<()> {
    let sha256 = manifest.weights_sha256.to_string();
    if let Some(own) = model.info.weights_sha256().filter(|own| *own != sha256) {
        let text = format!("it is of the model {sha256}, but this one is {own}: bring its own");
        findings.fault("manifest", &text)?;
        return Ok(());
    }
    if let Some(expected) = manifest.onnx_sha256.filter(|expected| *expected != model.sha256) {
        let text = format!(
            "it was exported with the file {expected}, but this file is {}: copy or export it again",
            model.sha256
        );
        findings.fault("manifest", &text)?;
        return Ok(());
    }
    if let Ok(Some(own)) = model.info.architecture()
        && own != manifest.architecture
    {
        let text = "its architecture is not that of the model: bring the model's own manifest";
        findings.fault("manifest", text)?;
        return Ok(());
    }
    let lineage = &manifest.lineage;
    let text = format!(
        "{}: run {}, step {}, {} rows from {} shards, config {}",
        manifest.name,
        lineage.run,
        lineage.step,
        lineage.rows,
        lineage.shards,
        lineage.config_sha256
    );
    findings.ok("manifest", &text)?;
    let Some(backend) = backend else { return Ok(()) };
    if model.encoding == EncodingId::Keiko1 {
        let text = "not run: they depend on the run's rules, which no manifest has";
        findings.note("self-tests", text)?;
        return Ok(());
    }
    for test in &manifest.self_tests {
        if let Err(problem) = pass(test, model, backend) {
            let text = format!("{problem}: the model is not the one the manifest speaks of");
            findings.fault("self-tests", &text)?;
            return Ok(());
        }
    }
    match manifest.self_tests.len() {
        0 => findings.note("self-tests", "the manifest has none")?,
        tests => {
            let text = format!("the outputs on {tests} positions are those in the manifest");
            findings.ok("self-tests", &text)?;
        }
    }
    Ok(())
}

/// Whether the model computes what a test expects; where it gives no draws, the score.
fn pass(test: &SelfTest, model: &Model, backend: &mut OnnxBackend) -> Result<(), String> {
    let place = |error: anyhow::Error| format!("{:?}: {}", test.position, message(&error));
    let row = outputs::row(model.encoding, &test.position).map_err(place)?;
    let mut request = RequestBatch::new(model.encoding, 1);
    request.push_row(&row, &test.labels);
    let response = backend.evaluate(request).map_err(|error| place(error.into()))?;
    let mut expected = test.clone();
    if !model.info.has_wdl() {
        let [win, draw, _] = test.wdl;
        let score = win + draw / 2.0;
        expected.wdl = [score, 0.0, 1.0 - score];
    }
    let found = response.wdl()[0];
    let found = [found.win, found.draw, found.loss];
    expected
        .check(response.logits_of(0), found, Tolerance::F32)
        .map_err(|problem| problem.to_string())
}
