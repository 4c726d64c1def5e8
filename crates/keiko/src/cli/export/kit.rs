//! A folder to hand to a player.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use keiko_inference::{ONNX_RUNTIME_FILE, OnnxBackend, OnnxOptions, find_onnx_runtime};
use keiko_model::Digest;

use super::card::{Card, Entry};
use crate::cli::message;
use crate::cli::output::Output;

/// The project's licence; that of ONNX Runtime has the same words under another name.
const LICENSE: &str = include_str!("../../../../../LICENSE");
const OUR_NOTICE: &str = "Copyright (c) 2026 the keiko developers";
const THEIR_NOTICE: &str = "Copyright (c) Microsoft Corporation";

/// How to play with the kit.
const GUIDES: [(&str, &str); 2] =
    [("README.md", include_str!("guide.en.md")), ("README.ja.md", include_str!("guide.ja.md"))];

/// The programs that a kit is made of.
#[derive(Debug)]
pub(super) struct Programs {
    engine: Program,
    library: Program,
}

/// A program's file, and its name in the kit.
#[derive(Debug)]
struct Program {
    from: PathBuf,
    name: String,
}

impl Programs {
    /// Those that were named, or else those of this installation. Files of other systems keep the endings that
    /// they need there.
    pub(super) fn find(engine: Option<&Path>, library: Option<&Path>) -> anyhow::Result<Self> {
        let engine = match engine {
            Some(engine) => engine.to_owned(),
            None => std::env::current_exe()
                .context("the folder of this program")?
                .with_file_name(format!("keiko-usi{}", std::env::consts::EXE_SUFFIX)),
        };
        if !engine.is_file() {
            bail!(
                "{} is no file: build the engine with `cargo build --release -p keiko-usi`, or name it by --engine",
                engine.display()
            );
        }
        if !is_program(&engine)? {
            bail!("{} is no program: name the engine keiko-usi by --engine", engine.display());
        }
        let library = find_onnx_runtime(library).context(
            "ONNX Runtime was not found: run scripts/setup, or name its library by --onnxruntime",
        )?;
        if !library.is_file() {
            bail!("{} is no file: name ONNX Runtime's library", library.display());
        }
        let ending = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_owned);
        let engine_name = match ending(&engine).as_deref() {
            Some("exe") => "keiko-usi.exe",
            _ => "keiko-usi",
        };
        let library_name = match ending(&library).as_deref() {
            Some("dll") => "onnxruntime.dll",
            Some("dylib") => "libonnxruntime.dylib",
            _ => ONNX_RUNTIME_FILE,
        };
        Ok(Self {
            engine: Program { from: engine, name: engine_name.to_owned() },
            library: Program { from: library, name: library_name.to_owned() },
        })
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> anyhow::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = path.metadata().with_context(|| path.display().to_string())?.permissions().mode();
    let is_foreign = path.extension().is_some_and(|ending| ending == "exe");
    Ok(is_foreign || mode & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(_: &Path) -> anyhow::Result<bool> {
    Ok(true)
}

/// Makes the folder `dir` of the programs, the model's files and its card. It gets its name when all is in it.
pub(super) fn write(
    dir: &Path,
    programs: &Programs,
    files: &[(impl AsRef<Path>, Vec<u8>)],
    card: &Card,
) -> anyhow::Result<()> {
    let place = || dir.display().to_string();
    let absolute = std::path::absolute(dir).with_context(place)?;
    let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        bail!("{} names no folder to make", dir.display());
    };
    if dir.symlink_metadata().is_ok() {
        bail!("{} exists: name a new folder, or remove this one first", dir.display());
    }
    // Runs stay as they are.
    Output::at(&absolute.join("model.onnx"))?;
    fs::create_dir_all(parent).with_context(place)?;
    let unfinished = Unfinished::create(parent, name).with_context(place)?;
    for program in [&programs.engine, &programs.library] {
        let to = unfinished.path.join(&program.name);
        fs::copy(&program.from, &to).with_context(|| program.from.display().to_string())?;
    }
    let write = |name: &Path, bytes: &[u8]| {
        fs::write(unfinished.path.join(name), bytes)
            .with_context(|| dir.join(name).display().to_string())
    };
    for (name, bytes) in files {
        write(name.as_ref(), bytes)?;
    }
    for (name, guide) in GUIDES {
        let text = guide.replace("{NAME}", card.name()).replace("{ENGINE}", &programs.engine.name);
        write(name.as_ref(), text.replace("{LIBRARY}", &programs.library.name).as_bytes())?;
    }
    check(&unfinished.path, dir, &programs.library)?;
    let theirs = LICENSE.replace(OUR_NOTICE, THEIR_NOTICE);
    let license = format!(
        "{} and the texts of this folder\n\n{LICENSE}\n\n{} is ONNX Runtime, https://github.com/microsoft/onnxruntime\n\n{theirs}",
        programs.engine.name, programs.library.name
    );
    write("LICENSE.txt".as_ref(), license.as_bytes())?;
    write("MODEL.md".as_ref(), card.text(&entries(&unfinished.path)?).as_bytes())?;
    unfinished.publish(&absolute).with_context(place)
}

/// Opens the model with the library, both as they are in the kit; a library of another system cannot be tried here.
fn check(folder: &Path, dir: &Path, library: &Program) -> anyhow::Result<()> {
    if library.name != ONNX_RUNTIME_FILE {
        return Ok(());
    }
    let options = OnnxOptions { library: folder.join(&library.name), threads: 1 };
    if let Err(error) = OnnxBackend::open(&folder.join("model.onnx"), &options) {
        // Where the files lie now is nobody's concern.
        let shown = format!("{}/", folder.display());
        let error = message(&error.into()).replace(&shown, "");
        bail!(
            "{}: the kit's model does not open with {}: {error}: name another library by --onnxruntime",
            dir.display(),
            library.from.display()
        );
    }
    Ok(())
}

/// The files that are in a folder so far, by name.
fn entries(folder: &Path) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let bytes = fs::read(&path)?;
        entries.push(Entry {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: bytes.len(),
            sha256: Digest::of(&bytes).to_string(),
        });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// A folder under another name beside its place; removed unless it is published. Its maker holds a lock on it, by which
/// the leftovers of makers that were killed are known.
struct Unfinished {
    path: PathBuf,
    _lock: File,
}

impl Unfinished {
    fn create(parent: &Path, name: &OsStr) -> std::io::Result<Self> {
        let name = name.to_string_lossy();
        remove_leftovers(parent, &name)?;
        let path = parent.join(format!(".{name}.{}.tmp", std::process::id()));
        fs::create_dir(&path)?;
        let lock = File::open(&path)?;
        lock.lock()?;
        Ok(Self { path, _lock: lock })
    }

    /// Waits until the disk has all files, and gives the folder its name.
    fn publish(self, dir: &Path) -> std::io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            File::open(entry?.path())?.sync_all()?;
        }
        fs::rename(&self.path, dir)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Once it is published there is nothing of this name.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the unfinished folders of this name that nobody makes any more.
fn remove_leftovers(parent: &Path, name: &str) -> std::io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        let maker = file.strip_prefix(&format!(".{name}.")).and_then(|it| it.strip_suffix(".tmp"));
        let is_ours =
            maker.is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()));
        if is_ours && entry.file_type()?.is_dir() && File::open(entry.path())?.try_lock().is_ok() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::message;

    #[test]
    fn programs_keep_the_endings_of_their_systems() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, name).unwrap();
            path
        };
        let names = |engine: &Path, library: &Path| {
            let found = Programs::find(Some(engine), Some(library)).unwrap();
            (found.engine.name, found.library.name)
        };
        let (exe, dll) = (at("engine.exe"), at("ort.dll"));
        assert_eq!(names(&exe, &dll), ("keiko-usi.exe".to_owned(), "onnxruntime.dll".to_owned()));
        let versioned = at("libonnxruntime.so.1.32.0");
        assert_eq!(names(&exe, &versioned).1, ONNX_RUNTIME_FILE);
        let fails = |engine: &Path, library: &Path| {
            message(&Programs::find(Some(engine), Some(library)).unwrap_err())
        };
        assert!(fails(&at("plain"), &dll).contains("is no program"), "it has no permission to run");
        assert!(fails(&dir.path().join("absent"), &dll).contains("is no file: build the engine"));
        assert!(fails(&exe, &dir.path().join("absent")).contains("is no file: name ONNX"));
    }

    #[test]
    fn only_leftovers_of_this_kit_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let held = Unfinished::create(dir.path(), "kit".as_ref()).unwrap();
        let others = [".kit.x.tmp", ".kit2.7.tmp", "kit.7.tmp", ".kit.7.tmp2"];
        for name in others.iter().chain(&[".kit.7.tmp"]) {
            fs::create_dir(at(name)).unwrap();
        }
        fs::write(at(".kit.8.tmp"), "a file").unwrap();
        remove_leftovers(dir.path(), "kit").unwrap();
        assert!(!at(".kit.7.tmp").exists() && at(".kit.8.tmp").exists() && held.path.exists());
        assert!(others.iter().all(|name| at(name).exists()));
    }

    #[test]
    fn both_licences_are_in_the_kit() {
        assert!(LICENSE.contains(OUR_NOTICE));
        let theirs = LICENSE.replace(OUR_NOTICE, THEIR_NOTICE);
        assert!(theirs.contains(THEIR_NOTICE) && !theirs.contains("keiko"));
    }
}
