//! Directories that are still there after a power cut.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use crate::error::StoreError;

/// The directory that holds `path`.
pub(super) fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Creates `dir` and what is missing above it; each new name is durable.
pub(super) fn create_durably(dir: &Path) -> Result<(), StoreError> {
    if dir.is_dir() {
        return Ok(());
    }
    let parent = parent_of(dir);
    create_durably(parent)?;
    match fs::create_dir(dir) {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::AlreadyExists && dir.is_dir() => {}
        Err(e) => return Err(StoreError::io("create", dir)(e)),
    }
    sync(parent)
}

/// Makes the names in `dir` durable.
pub(super) fn sync(dir: &Path) -> Result<(), StoreError> {
    File::open(dir).and_then(|file| file.sync_all()).map_err(StoreError::io("sync", dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_alone_stands_in_the_current_folder() {
        for (path, parent) in [("a/b", "a"), ("/a", "/"), ("a", ".")] {
            assert_eq!(parent_of(Path::new(path)), Path::new(parent));
        }
        assert!(sync(Path::new("no such folder")).is_err());
    }
}
