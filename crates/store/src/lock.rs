//! The early, friendly error when two processes want the same role in a run.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::error::StoreError;
use crate::key::check_segment;

/// Holds one role of a run directory (such as `learner`) for this process.
///
/// An advisory `flock` on a hidden file: it ends with the process however that ends, so no stale lock
/// can stay. The results of a run never depend on it: a second learner that got past it fails at its
/// next append to the numbered log.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

/// Why a role could not be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("{} is held by {owner}; stop that process or wait for it", path.display())]
    Held {
        /// The lock file.
        path: PathBuf,
        /// What the owner wrote about itself, such as `pid 4711`.
        owner: String,
    },
    /// The lock file could not be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A program that the last holder just started has the holder's files for an instant, until it is loaded.
const PATIENCE: Duration = Duration::from_millis(200);

impl RunLock {
    /// Takes `role` in the run directory `dir`.
    ///
    /// # Errors
    ///
    /// [`LockError::Held`] if another holder (also one in this process) has it.
    pub fn acquire(dir: &Path, role: &str) -> Result<Self, LockError> {
        check_segment(role)
            .map_err(|reason| StoreError::InvalidKey { key: role.to_owned(), reason })?;
        let path = dir.join(format!(".{role}.lock"));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        let patience = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if patience.elapsed() < PATIENCE => {
                    thread::sleep(PATIENCE / 20);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::Held { owner: owner(&mut file), path });
                }
                Err(TryLockError::Error(e)) => return Err(StoreError::io("lock", &path)(e).into()),
            }
        }
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| write!(file, "pid {}", std::process::id()))
            .map_err(StoreError::io("write", &path))?;
        Ok(Self { _file: file })
    }
}

/// Who holds `role` in the run directory `dir`, such as `pid 4711`; none where nobody does.
///
/// # Errors
///
/// If the lock file cannot be used.
pub fn lock_owner(dir: &Path, role: &str) -> Result<Option<String>, LockError> {
    check_segment(role)
        .map_err(|reason| StoreError::InvalidKey { key: role.to_owned(), reason })?;
    let path = dir.join(format!(".{role}.lock"));
    let mut file = match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.map_err(StoreError::io("open", &path))?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(Some(owner(&mut file))),
        Err(TryLockError::Error(error)) => Err(StoreError::io("lock", &path)(error).into()),
    }
}

fn owner(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.take(100).read_to_string(&mut text);
    let known = read.is_ok() && text.starts_with("pid ");
    if known { text.trim().to_owned() } else { "another process".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_told_the_owner_until_the_first_lets_go() {
        let dir = tempfile::tempdir().unwrap();
        let first = RunLock::acquire(dir.path(), "learner").unwrap();
        let error = RunLock::acquire(dir.path(), "learner").unwrap_err();
        let pid = format!("pid {}", std::process::id());
        assert!(matches!(&error, LockError::Held { owner, .. } if *owner == pid), "{error}");
        assert!(error.to_string().contains(".learner.lock is held by pid"), "{error}");
        RunLock::acquire(dir.path(), "gate").unwrap();
        assert_eq!(lock_owner(dir.path(), "learner").unwrap(), Some(pid));
        drop(first);
        assert_eq!(lock_owner(dir.path(), "learner").unwrap(), None);
        assert_eq!(lock_owner(dir.path(), "nobody").unwrap(), None);
        RunLock::acquire(dir.path(), "learner").unwrap();
    }

    #[test]
    fn a_stale_file_does_not_lock_and_bad_roles_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".learner.lock"), "pid 1 and more text than before")
            .unwrap();
        let _lock = RunLock::acquire(dir.path(), "learner").unwrap();
        let text = std::fs::read_to_string(dir.path().join(".learner.lock")).unwrap();
        assert_eq!(text, format!("pid {}", std::process::id()));
        for role in ["", "../x", "a/b", ".x"] {
            assert!(RunLock::acquire(dir.path(), role).is_err(), "{role}");
            assert!(lock_owner(dir.path(), role).is_err(), "{role}");
        }
    }

    #[test]
    fn an_owner_that_says_nothing_of_itself_is_another_process() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".gate.lock");
        for words in [&b"words of others"[..], b"pid \xff"] {
            std::fs::write(&path, words).unwrap();
            let file = File::open(&path).unwrap();
            file.lock().unwrap();
            let owner = lock_owner(dir.path(), "gate").unwrap();
            assert_eq!(owner.as_deref(), Some("another process"));
        }
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(".gate.lock", &path).unwrap();
        assert!(lock_owner(dir.path(), "gate").is_err(), "a file that cannot be opened");
    }
}
