//! Walks over the directory.

use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::is_absent;
use crate::error::StoreError;
use crate::key::check_segment;

/// Folders below folders below this depth are not looked at: a cycle of links ends.
const MAX_DEPTH: usize = 16;

/// Adds the keys of all objects in and below `dir`, whose own key is `prefix`, in no order.
pub(super) fn collect_keys(
    dir: &Path,
    prefix: &str,
    keys: &mut Vec<String>,
) -> Result<(), StoreError> {
    walk(dir, MAX_DEPTH, &mut |entry| {
        let name = entry.file_name();
        let is_key = name.to_str().is_some_and(|name| check_segment(name).is_ok());
        if is_key && let Ok(below) = entry.path().strip_prefix(dir) {
            let slash = if prefix.is_empty() { "" } else { "/" };
            keys.push(format!("{prefix}{slash}{}", below.to_string_lossy()));
        }
        Ok(())
    })
}

/// Removes the temporaries in and below `root` that no living writer holds.
pub(super) fn remove_leftovers(root: &Path) -> Result<(), StoreError> {
    fs::read_dir(root).map_err(StoreError::io("open", root))?;
    walk(root, MAX_DEPTH, &mut |entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with('.') && name.ends_with(".tmp")) {
            return Ok(());
        }
        let path = entry.path();
        let removed = File::open(&path).and_then(|file| match file.try_lock() {
            Ok(()) => fs::remove_file(&path),
            Err(_) => Ok(()),
        });
        match removed {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(StoreError::io("remove", &path)(e)),
            _ => Ok(()),
        }
    })
}

/// Calls `visit` on every file in and below `dir`; hidden folders are passed over.
fn walk(
    dir: &Path,
    depth: usize,
    visit: &mut dyn FnMut(&DirEntry) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if is_absent(&e) => return Ok(()),
        Err(e) => return Err(StoreError::io("list", dir)(e)),
    };
    for entry in entries {
        let entry = entry.map_err(StoreError::io("list", dir))?;
        match kind(&entry).map_err(StoreError::io("list", &entry.path()))? {
            Kind::Folder(path) if depth > 0 => walk(&path, depth - 1, visit)?,
            Kind::File => visit(&entry)?,
            Kind::Folder(_) | Kind::Other => {}
        }
    }
    Ok(())
}

enum Kind {
    File,
    Folder(PathBuf),
    Other,
}

fn kind(entry: &DirEntry) -> io::Result<Kind> {
    let path = entry.path();
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        // Gone since it was listed, or a link to nothing.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Kind::Other),
        Err(e) => return Err(e),
    };
    let valid = entry.file_name().to_str().is_some_and(|name| check_segment(name).is_ok());
    Ok(match (metadata.is_dir(), metadata.is_file()) {
        (true, _) if valid => Kind::Folder(path),
        (_, true) => Kind::File,
        _ => Kind::Other,
    })
}
