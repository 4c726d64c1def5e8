//! Unfinished files.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::dirs::parent_of;
use crate::error::StoreError;

/// A hidden file beside the object it will become; removed when dropped.
///
/// Its writer holds a `flock` on it, so whoever cleans up can tell the file of a living writer from a
/// leftover. Its errors name the object, which is what a person knows of.
#[derive(Debug)]
pub(super) struct Temporary {
    target: PathBuf,
    path: PathBuf,
    file: File,
    gone: bool,
}

/// What is taken of the target's name, of which a file system may allow no more than it has.
const MAX_NAME_CHARS: usize = 40;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// What the names of all temporaries of `target` begin with.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(MAX_NAME_CHARS).collect();
    format!(".{name}.")
}

/// Removes the temporaries of `target` that no living writer holds.
pub(super) fn remove_leftovers(target: &Path) -> Result<(), StoreError> {
    let (prefix, dir) = (prefix(target), parent_of(target));
    // A folder that may be written to but not listed keeps its leftovers.
    let Ok(entries) = fs::read_dir(dir) else { return Ok(()) };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let writer = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".tmp"));
        let numbers = writer.and_then(|writer| writer.split_once('-'));
        let number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        if numbers.is_some_and(|(process, count)| number(process) && number(count))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            match fs::remove_file(entry.path()) {
                Err(e) if e.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::io("remove", &entry.path())(e));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

impl Temporary {
    /// Creates a temporary beside `target`.
    pub(super) fn create(target: &Path) -> Result<Self, StoreError> {
        let (prefix, dir) = (prefix(target), parent_of(target));
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = dir.join(format!("{prefix}{}-{number}.tmp", std::process::id()));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(e) if e.kind() == ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(StoreError::io("create", target)(e)),
            };
            let temporary = Self { target: target.to_owned(), path, file, gone: false };
            let linked = temporary
                .file
                .lock()
                .and_then(|()| temporary.file.metadata())
                .map_err(StoreError::io("lock", target))?;
            // A cleaner may have taken it for a leftover before the lock was held.
            if linked.nlink() > 0 {
                return Ok(temporary);
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What it will become.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Appends all of `bytes`.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file.write_all(bytes).map_err(StoreError::io("write", &self.target))
    }

    /// Writes all of `bytes` and waits until the disk has what was written.
    pub(super) fn write_durably(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(bytes)?;
        self.sync()
    }

    /// Waits until the disk has what was written.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.file.sync_all().map_err(StoreError::io("sync", &self.target))
    }

    /// Checks that the file holds `bytes`.
    pub(super) fn verify(&self, bytes: &[u8]) -> Result<(), StoreError> {
        let read = fs::read(&self.path).map_err(StoreError::io("read back", &self.target))?;
        if read == bytes { Ok(()) } else { Err(StoreError::ReadBack { path: self.target.clone() }) }
    }

    /// Gives the file its target's name, replacing what had it.
    pub(super) fn replace(mut self) -> Result<(), StoreError> {
        fs::rename(&self.path, &self.target).map_err(StoreError::io("replace", &self.target))?;
        self.gone = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.gone {
            // Best effort: what stays is removed at the next opening.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_back_otherwise_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("object");
        let mut temporary = Temporary::create(&target).unwrap();
        temporary.write_durably(b"as it was").unwrap();
        temporary.verify(b"as it was").unwrap();
        fs::write(temporary.path(), b"as it is!").unwrap();
        let error = temporary.verify(b"as it was").unwrap_err();
        assert!(matches!(error, StoreError::ReadBack { path } if path == target));
    }

    #[test]
    fn names_that_are_taken_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("object");
        let next = NEXT.load(Ordering::Relaxed);
        for number in next..next + 20 {
            let name = format!("{}{}-{number}.tmp", prefix(&target), std::process::id());
            fs::write(dir.path().join(name), "of a process with the same number").unwrap();
        }
        Temporary::create(&target).unwrap().verify(b"").unwrap();
    }
}
