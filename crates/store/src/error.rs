//! Errors of a store.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::hint::hint;
use crate::key::KeyError;

/// Why a store could not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The key is no plain relative path.
    #[error("invalid key {key:?}: {reason}")]
    InvalidKey {
        /// The key as given.
        key: String,
        /// The rule it breaks.
        reason: KeyError,
    },
    /// No object has this key.
    #[error("no object {key} at {}", path.display())]
    NotFound {
        /// The key asked for.
        key: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// The object is shorter than what was asked of it.
    #[error("{} holds {len} bytes, but bytes up to {needed} were asked for", path.display())]
    TooShort {
        /// The object.
        path: PathBuf,
        /// Its length, in bytes.
        len: u64,
        /// The length it would need, in bytes.
        needed: u64,
    },
    /// What was written is not what is read: nothing was published under the key.
    #[error("{} read back differently from what was written; the disk may be failing: check it", path.display())]
    ReadBack {
        /// The object that was to be created.
        path: PathBuf,
    },
    /// A text is not what was written.
    #[error(
        "{} is damaged (the hash in its first line is not that of the rest): put it back from a copy of the run", path.display()
    )]
    Damaged {
        /// The object.
        path: PathBuf,
    },
    /// The store's directory is not where it was opened.
    #[error(
        "{} is not the folder any more that was opened: it was moved or deleted while in use; nothing was written \
         there. Go on with it where it is now", path.display()
    )]
    Moved {
        /// Where it was.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}{}", path.display(), hint(source))]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl StoreError {
    /// Whether there was no room on the disk, or in a quota.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let Self::Io { source, .. } = self else { return false };
        matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, source }
    }
}

/// Why an object was not created.
#[derive(Debug, Error)]
pub enum PutError {
    /// An object with this key exists; it was not touched.
    #[error("{} exists already and is never replaced", path.display())]
    Exists {
        /// The key.
        key: String,
        /// Where the object is.
        path: PathBuf,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_path_and_what_to_do() {
        let full = StoreError::io("write", Path::new("run/x"))(io::Error::from_raw_os_error(28));
        let text = full.to_string();
        assert!(text.starts_with("cannot write run/x: "), "{text}");
        assert!(text.ends_with("; free space on this disk, then start again"), "{text}");
        // Numbers of errors of Linux, each with a word of what to do.
        let remedies = [
            (28, "free space"),
            (122, "quota"),
            (13, "check the owner and the mode"),
            (30, "writable"),
            (20, "a file stands where"),
            (17, "a file stands where"),
            (95, "lacks hard links"),
            (31, "lacks links"),
            (24, "ulimit -n"),
            (5, "failing"),
        ];
        for (number, remedy) in remedies {
            let error = StoreError::io("create", Path::new("run/x"));
            let text = error(io::Error::from_raw_os_error(number)).to_string();
            let hint = text.split_once("; ").map(|(_, hint)| hint);
            assert!(hint.is_some_and(|hint| hint.contains(remedy)), "{number}: {text}");
        }
        let other = StoreError::io("read", Path::new("x"))(io::Error::from_raw_os_error(2));
        assert!(!other.to_string().contains("; "), "{other}");
        let exists = PutError::Exists { key: "a/b".into(), path: "run/a/b".into() };
        assert_eq!(exists.to_string(), "run/a/b exists already and is never replaced");
    }
}
