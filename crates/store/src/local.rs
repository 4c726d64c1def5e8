//! The store in a local directory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{PutError, StoreError};
use crate::key::check_key;
use crate::seal;
use crate::store::Store;

mod dirs;
mod list;
mod temporary;

use temporary::Temporary;

/// A plain file in the making, which takes the place of an older one whole and durably: a reader sees the old bytes or
/// all of the new ones. Dropped before it is published, it leaves nothing; what a writer of this file left that was
/// killed is removed, and no other file of its folder is touched.
///
/// Every method fails with [`StoreError::Io`] if the system refuses; the file is then as it was.
#[derive(Debug)]
pub struct Replacement(Temporary);

impl Replacement {
    /// Begins the file that is to stand at `path`.
    ///
    /// # Errors
    ///
    /// See [`Replacement`].
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        temporary::remove_leftovers(path)?;
        Temporary::create(path).map(Self)
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// See [`Replacement`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.0.write(bytes)
    }

    /// Puts the file in its place, once the disk has it.
    ///
    /// # Errors
    ///
    /// See [`Replacement`].
    pub fn publish(self) -> Result<(), StoreError> {
        let Self(temporary) = self;
        temporary.sync()?;
        let dir = dirs::parent_of(temporary.target()).to_owned();
        temporary.replace()?;
        dirs::sync(&dir)
    }
}

/// A [`Store`] in a directory of a local file system with hard links and `flock`.
///
/// An object is written to a hidden temporary in its own directory, made durable, read back, and only
/// then given its name by a hard link, which never replaces; the directory is made durable last.
/// Several processes may use one directory at a time. It is held open: where its path leads to another one,
/// because it was moved away, every method fails with [`StoreError::Moved`] instead of beginning a new one there.
#[derive(Clone, Debug)]
pub struct LocalStore {
    root: PathBuf,
    /// The directory itself. While it is open, no other one gets its number.
    handle: Arc<File>,
}

impl LocalStore {
    /// Opens an existing directory and removes the temporaries that dead writers left.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] if `root` is no directory that can be read and cleaned.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        let handle = File::open(root).map_err(StoreError::io("open", root))?;
        list::remove_leftovers(root)?;
        Ok(Self { root: root.to_path_buf(), handle: Arc::new(handle) })
    }

    /// Creates the directory, and those above it, if absent, then opens it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] if that fails.
    pub fn create(root: &Path) -> Result<Self, StoreError> {
        dirs::create_durably(root)?;
        Self::open(root)
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, key: &str) -> Result<PathBuf, StoreError> {
        check_key(key).map_err(|reason| StoreError::InvalidKey { key: key.to_owned(), reason })?;
        self.check_root()?;
        Ok(self.root.join(key))
    }

    /// Fails if the directory is no longer where it was opened.
    fn check_root(&self) -> Result<(), StoreError> {
        let number = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let opened =
            self.handle.metadata().map(number).map_err(StoreError::io("read", &self.root))?;
        match fs::metadata(&self.root).map(number) {
            Ok(now) if now == opened => Ok(()),
            Err(e) if !is_absent(&e) => Err(StoreError::io("look for", &self.root)(e)),
            _ => Err(StoreError::Moved { path: self.root.clone() }),
        }
    }

    /// The reason for a failure: that the directory was moved away meanwhile, if it was.
    fn reason(&self, failure: StoreError) -> StoreError {
        self.check_root().err().unwrap_or(failure)
    }

    /// Creates an object, step by step.
    fn publish(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        let path = self.path(key)?;
        let dir = dirs::parent_of(&path);
        dirs::create_durably(dir)?;
        let bytes = seal::seal(key, bytes);
        let mut temporary = Temporary::create(&path)?;
        temporary.write_durably(&bytes)?;
        temporary.verify(&bytes)?;
        match fs::hard_link(temporary.path(), &path) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                dirs::sync(dir)?;
                return Err(PutError::Exists { key: key.to_owned(), path });
            }
            Err(e) => return Err(StoreError::io("create", &path)(e).into()),
        }
        drop(temporary);
        dirs::sync(dir)?;
        Ok(())
    }

    /// Replaces a status object, step by step.
    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(key)?;
        dirs::create_durably(dirs::parent_of(&path))?;
        let mut temporary = Temporary::create(&path)?;
        temporary.write_durably(bytes)?;
        temporary.replace()
    }

    fn open_object(&self, key: &str, options: &OpenOptions) -> Result<(PathBuf, File), StoreError> {
        let path = self.path(key)?;
        match options.open(&path) {
            Ok(file) => Ok((path, file)),
            Err(e) if is_absent(&e) => {
                Err(self.reason(StoreError::NotFound { key: key.to_owned(), path }))
            }
            Err(e) => Err(StoreError::io("open", &path)(e)),
        }
    }
}

impl Store for LocalStore {
    fn put_new(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        self.publish(key, bytes).map_err(|failure| match failure {
            PutError::Store(failure) => self.reason(failure).into(),
            exists @ PutError::Exists { .. } => exists,
        })
    }

    fn put_status(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.replace(key, bytes).map_err(|failure| self.reason(failure))
    }

    fn append(&self, key: &str, line: &str) -> Result<u64, StoreError> {
        let path = self.path(key)?;
        dirs::create_durably(dirs::parent_of(&path))?;
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        let end = if line.ends_with('\n') { "" } else { "\n" };
        file.write_all(format!("{line}{end}").as_bytes())
            .and_then(|()| file.metadata())
            .map(|metadata| metadata.len())
            .map_err(StoreError::io("append to", &path))
    }

    fn sync(&self, key: &str) -> Result<(), StoreError> {
        let (path, file) = self.open_object(key, OpenOptions::new().read(true))?;
        file.sync_all().map_err(StoreError::io("sync", &path))?;
        dirs::sync(dirs::parent_of(&path))
    }

    fn truncate(&self, key: &str, len: u64) -> Result<(), StoreError> {
        let (path, file) = match self.open_object(key, OpenOptions::new().write(true)) {
            Err(StoreError::NotFound { .. }) if len == 0 => return Ok(()),
            other => other?,
        };
        let now = file.metadata().map_err(StoreError::io("read", &path))?.len();
        if now < len {
            return Err(StoreError::TooShort { path, len: now, needed: len });
        }
        file.set_len(len).and_then(|()| file.sync_all()).map_err(StoreError::io("truncate", &path))
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        let (path, mut file) = self.open_object(key, OpenOptions::new().read(true))?;
        let mut bytes = Vec::new();
        match file.read_to_end(&mut bytes) {
            Ok(_) => seal::open(key, bytes).ok_or(StoreError::Damaged { path }),
            Err(e) if is_absent(&e) => Err(StoreError::NotFound { key: key.to_owned(), path }),
            Err(e) => Err(StoreError::io("read", &path)(e)),
        }
    }

    fn get_range(&self, key: &str, offset: u64, len: u32) -> Result<Vec<u8>, StoreError> {
        let (path, mut file) = self.open_object(key, OpenOptions::new().read(true))?;
        let total = file.metadata().map_err(StoreError::io("read", &path))?.len();
        let needed = offset.saturating_add(u64::from(len));
        if total < needed {
            return Err(StoreError::TooShort { path, len: total, needed });
        }
        let mut bytes = vec![0; len as usize];
        file.seek(SeekFrom::Start(offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(StoreError::io("read", &path))?;
        Ok(bytes)
    }

    fn len(&self, key: &str) -> Result<u64, StoreError> {
        let (path, file) = self.open_object(key, OpenOptions::new().read(true))?;
        match file.metadata() {
            Ok(metadata) if metadata.is_file() => Ok(metadata.len()),
            Ok(_) => Err(StoreError::NotFound { key: key.to_owned(), path }),
            Err(e) => Err(StoreError::io("read", &path)(e)),
        }
    }

    fn exists(&self, key: &str) -> Result<bool, StoreError> {
        let path = self.path(key)?;
        match fs::metadata(&path) {
            Ok(metadata) => Ok(metadata.is_file()),
            Err(e) if is_absent(&e) => Ok(false),
            Err(e) => Err(StoreError::io("look for", &path)(e)),
        }
    }

    fn list_after(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError> {
        self.check_root()?;
        let dir = if prefix.is_empty() { self.root.clone() } else { self.path(prefix)? };
        if !after.is_empty() {
            self.path(after)?;
        }
        let mut keys = Vec::new();
        list::collect_keys(&dir, prefix, &mut keys)?;
        keys.retain(|key| key.as_str() > after);
        keys.sort_unstable();
        Ok(keys)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        let path = self.path(key)?;
        match fs::remove_file(&path) {
            Ok(()) => dirs::sync(dirs::parent_of(&path)),
            Err(e) if is_absent(&e) => Ok(()),
            Err(e) => Err(StoreError::io("delete", &path)(e)),
        }
    }
}

/// A directory is no object, and neither is anything below a file.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory | ErrorKind::NotADirectory)
}
