use std::fs::File;
use std::path::{Path, PathBuf};

use keiko_store::Sha256;

use super::block::{self, Block};
use super::fingerprint::fingerprint;
use super::{DataError, DataKind};

/// A file of training data whose size and borders of records have been looked at.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    kind: DataKind,
    bytes: u64,
    sha256: Sha256,
    rows: Option<u64>,
    pub(super) file: File,
    pub(super) blocks: Vec<Block>,
}

impl DataFile {
    /// Opens a file and walks through it. `kind` is what it holds where its extension does not tell.
    ///
    /// # Errors
    ///
    /// It is no file, empty, of no known kind, or cut off; the error names the file and the record.
    pub fn open(path: &Path, kind: Option<DataKind>) -> Result<Self, DataError> {
        let no_file = |what| DataError::NoFile { path: path.to_owned(), what };
        // Before it is opened: opening a pipe waits for its other end.
        let about = std::fs::metadata(path).map_err(DataError::io(path))?;
        if about.is_dir() {
            return Err(no_file("this is a folder: name the files in it"));
        }
        if !about.is_file() {
            return Err(no_file("this is a pipe or a device: data are read more than once"));
        }
        if about.len() == 0 {
            return Err(no_file("the file is empty"));
        }
        let kind = DataKind::of_path(path).or(kind);
        let kind = kind.ok_or_else(|| DataError::Kind { path: path.to_owned() })?;
        let file = File::open(path).map_err(DataError::io(path))?;
        let bytes = about.len();
        let (blocks, rows) = block::cut(path, &file, kind, bytes)?;
        let sha256 = fingerprint(&file, bytes).map_err(DataError::io(path))?;
        Ok(Self { path: path.to_owned(), kind, bytes, sha256, rows, file, blocks })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds.
    #[must_use]
    pub fn kind(&self) -> DataKind {
        self.kind
    }

    /// Its size.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of its bytes; of more than 4 GiB, of the size and 64 pieces of 1 MiB.
    #[must_use]
    pub fn sha256(&self) -> Sha256 {
        self.sha256
    }

    /// Its rows, where that is known without reading every record.
    #[must_use]
    pub fn rows(&self) -> Option<u64> {
        self.rows
    }
}
