//! Files that a command is asked to write.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use keiko_store::Replacement;

use crate::run;

/// Links behind links that are followed at most.
const MAX_LINKS: usize = 40;

/// Where a command is asked to write.
#[derive(Debug)]
pub(super) struct Output {
    /// As it was asked for.
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A plain file, behind any links, or a name that is free.
    File(PathBuf),
    /// A device or a pipe.
    Stream,
}

impl Output {
    /// Looks at what is at `path`. Nothing is written yet.
    ///
    /// # Errors
    /// It is a folder, or a file of a run.
    pub(super) fn at(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display();
        let target = match fs::metadata(path) {
            Ok(found) if found.is_dir() => bail!("{shown} is a folder: name a file"),
            Ok(found) if !found.is_file() => Target::Stream,
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                return Err(e).with_context(|| shown.to_string());
            }
            _ if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
                bail!("{shown} names no file")
            }
            _ => {
                let file = real_path(&behind_links(path));
                Target::File(file.with_context(|| format!("{shown}: a folder of it is missing"))?)
            }
        };
        if let Target::File(file) = &target
            && let Some(run) = run::holding(file)
        {
            bail!(
                "{shown} lies in the run {}, whose files stay as they are: name a file elsewhere",
                run.display()
            );
        }
        Ok(Self { path: path.to_owned(), target })
    }

    /// The path that was asked for.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a device or a pipe, which has no files beside it.
    pub(super) fn is_stream(&self) -> bool {
        matches!(self.target, Target::Stream)
    }

    /// Refuses to replace a plain file, unless with `force`.
    pub(super) fn check_free(&self, force: bool) -> anyhow::Result<()> {
        match &self.target {
            Target::File(file) if file.exists() && !force => {
                bail!("{} exists: add --force to replace it", self.path.display())
            }
            _ => Ok(()),
        }
    }

    /// Begins to write. A file is written whole, in the place of an older one, so that nobody reads half of it; its
    /// folder is made where it is missing. A stream gets the bytes as they come.
    pub(super) fn begin(&self) -> anyhow::Result<Writing> {
        let place = || self.path.display().to_string();
        Ok(match &self.target {
            Target::File(file) => {
                if let Some(folder) = file.parent() {
                    fs::create_dir_all(folder).with_context(place)?;
                }
                Writing::File(Replacement::create(file)?)
            }
            Target::Stream => {
                let stream = fs::OpenOptions::new().write(true).open(&self.path);
                Writing::Stream(self.path.clone(), stream.with_context(place)?)
            }
        })
    }

    /// Writes all of a file.
    pub(super) fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut writing = self.begin()?;
        writing.write(bytes)?;
        writing.finish()
    }
}

/// An [`Output`] that is being written. A file that is not finished leaves nothing.
#[derive(Debug)]
pub(super) enum Writing {
    /// A plain file.
    File(Replacement),
    /// A device or a pipe.
    Stream(PathBuf, File),
}

impl Writing {
    /// Appends bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::File(file) => file.write(bytes)?,
            Self::Stream(path, stream) => {
                // In words: that the reader of a pipe went away is an error here, unlike on standard output.
                stream.write_all(bytes).map_err(|error| anyhow!("{}: {error}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Puts a file in its place.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::File(file) => Ok(file.publish()?),
            Self::Stream(..) => Ok(()),
        }
    }
}

/// The file that `path` leads to, which need not be there.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// The absolute path without links and `..`; none where a folder that is to be left again is missing.
fn real_path(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let mut there = path.as_path();
    let mut missing = Vec::new();
    loop {
        if let Ok(real) = there.canonicalize() {
            return Some(missing.iter().rev().fold(real, |path, name| path.join(name)));
        }
        missing.push(there.file_name()?);
        there = there.parent()?;
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::message::message;

    fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
        Output::at(path).and_then(|out| out.write(bytes)).map_err(|e| message(&e))
    }

    #[test]
    fn plain_files_are_replaced_and_links_are_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("x.tmp"), "mine").unwrap();
        write(&at("x"), b"one").unwrap();
        let there = Output::at(&at("x")).unwrap().check_free(false).unwrap_err().to_string();
        assert!(there.ends_with("x exists: add --force to replace it"), "{there}");
        Output::at(&at("x")).unwrap().check_free(true).unwrap();
        write(&at("x"), b"two").unwrap();
        assert_eq!(fs::read(at("x")).unwrap(), b"two");
        assert_eq!(fs::read(at("x.tmp")).unwrap(), b"mine");
        fs::create_dir(at("links")).unwrap();
        symlink("../x", at("links/there")).unwrap();
        symlink("../new", at("links/free")).unwrap();
        write(&at("links/there"), b"three").unwrap();
        write(&at("links/free"), b"four").unwrap();
        assert_eq!(fs::read(at("x")).unwrap(), b"three");
        assert_eq!(fs::read(at("new")).unwrap(), b"four");
        assert!(fs::symlink_metadata(at("links/there")).unwrap().is_symlink());
        symlink("round", at("round")).unwrap();
        assert!(write(&at("round"), b"").is_err());
    }

    #[test]
    fn folders_and_files_of_runs_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("run");
        fs::create_dir_all(run.join("config")).unwrap();
        fs::create_dir_all(run.join("games")).unwrap();
        fs::write(run.join("config/000000.toml"), "").unwrap();
        fs::write(run.join("metrics.jsonl"), "mine").unwrap();
        symlink("run/metrics.jsonl", dir.path().join("link")).unwrap();
        symlink("run/games", dir.path().join("folder")).unwrap();
        for name in ["run/metrics.jsonl", "run/games/new", "run/new/new", "link", "folder/new"] {
            let error = write(&dir.path().join(name), b"").unwrap_err();
            assert!(error.contains(name) && error.contains("lies in the run"), "{error}");
        }
        assert_eq!(fs::read(run.join("metrics.jsonl")).unwrap(), b"mine");
        assert!(!run.join("new").exists());
        let around = dir.path().join("absent/../run/metrics.jsonl");
        assert!(write(&around, b"").unwrap_err().ends_with("a folder of it is missing"));
        assert!(!dir.path().join("absent").exists());
        let error = write(dir.path(), b"").unwrap_err();
        assert!(error.ends_with("is a folder: name a file"), "{error}");
        let error = write(&dir.path().join("new/"), b"").unwrap_err();
        assert!(error.ends_with("names no file"), "{error}");
        write(&run.join("report.svg"), b"a picture").unwrap();
    }

    #[test]
    fn a_device_is_written_to_and_stays() {
        let null = Path::new("/dev/null");
        assert!(Output::at(null).unwrap().is_stream());
        write(null, b"nothing").unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
        let full = write(Path::new("/dev/full"), b"much").unwrap_err();
        assert!(full.contains("No space left"), "{full}");
    }
}
