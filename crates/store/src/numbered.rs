//! Create-only logs of numbered entries.

use thiserror::Error;

use crate::error::{PutError, StoreError};
use crate::store::Store;

/// A log in a folder of the store: entries `000000.toml`, `000001.toml`, .. without a gap, each created
/// once. Appending a number that exists fails, so of two writers that both read the log one learns that
/// it is behind.
#[derive(Clone, Debug)]
pub struct NumberedLog<'s> {
    store: &'s dyn Store,
    folder: String,
    digits: usize,
}

/// Why a numbered log could not be read or appended to.
#[derive(Debug, Error)]
pub enum LogError {
    /// The entry exists already: another writer was faster, or it was written before a restart.
    #[error("entry {number} of {folder} exists already")]
    Exists {
        /// The log's folder.
        folder: String,
        /// The entry's number.
        number: u32,
    },
    /// An entry is missing although later ones exist or are to be written.
    #[error("entry {number} of {folder} is missing: put it back from a copy of the run")]
    Gap {
        /// The log's folder.
        folder: String,
        /// The missing entry's number.
        number: u32,
    },
    /// The folder holds an object that is no entry.
    #[error("{key} is no entry of a numbered log: move it out of the run")]
    Foreign {
        /// The object's key.
        key: String,
    },
    /// The number has more digits than the log's names.
    #[error("entry {number} of {folder} has too many digits")]
    Full {
        /// The log's folder.
        folder: String,
        /// The entry's number.
        number: u32,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl<'s> NumberedLog<'s> {
    /// The log in `folder`, with names of six digits.
    pub fn new(store: &'s dyn Store, folder: &str) -> Self {
        Self::with_digits(store, folder, 6)
    }

    /// The log in `folder`, with names of `digits` digits.
    pub fn with_digits(store: &'s dyn Store, folder: &str, digits: usize) -> Self {
        Self { store, folder: folder.to_owned(), digits }
    }

    /// Creates entry `number`, which must be the number of entries so far.
    ///
    /// # Errors
    ///
    /// [`LogError::Exists`] if the entry is there, [`LogError::Gap`] if the one before is not.
    pub fn append(&self, number: u32, bytes: &[u8]) -> Result<(), LogError> {
        if number.to_string().len() > self.digits {
            return Err(LogError::Full { folder: self.folder.clone(), number });
        }
        if let Some(before) = number.checked_sub(1)
            && !self.store.exists(&self.key(before))?
        {
            return Err(LogError::Gap { folder: self.folder.clone(), number: before });
        }
        match self.store.put_new(&self.key(number), bytes) {
            Ok(()) => Ok(()),
            Err(PutError::Exists { .. }) => {
                Err(LogError::Exists { folder: self.folder.clone(), number })
            }
            Err(PutError::Store(e)) => Err(e.into()),
        }
    }

    /// How many entries there are, which is also the number of the next one.
    ///
    /// # Errors
    ///
    /// [`LogError::Gap`] or [`LogError::Foreign`] if the folder is not a log without gaps.
    pub fn len(&self) -> Result<u32, LogError> {
        let mut next = 0;
        for key in self.store.list_after(&self.folder, "")? {
            if key != self.key(next) {
                return Err(match self.number_of(&key) {
                    Some(_) => LogError::Gap { folder: self.folder.clone(), number: next },
                    None => LogError::Foreign { key },
                });
            }
            next += 1;
        }
        Ok(next)
    }

    /// Whether the log has no entry.
    ///
    /// # Errors
    ///
    /// As for [`len`](Self::len).
    pub fn is_empty(&self) -> Result<bool, LogError> {
        Ok(self.len()? == 0)
    }

    /// The bytes of entry `number`.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if there is no such entry.
    pub fn read(&self, number: u32) -> Result<Vec<u8>, LogError> {
        Ok(self.store.get(&self.key(number))?)
    }

    /// The bytes of all entries in order; an entry's place is its number.
    ///
    /// # Errors
    ///
    /// As for [`len`](Self::len).
    pub fn read_all(&self) -> Result<Vec<Vec<u8>>, LogError> {
        (0..self.len()?).map(|number| self.read(number)).collect()
    }

    /// The number and the bytes of the last entry.
    ///
    /// # Errors
    ///
    /// As for [`len`](Self::len).
    pub fn last(&self) -> Result<Option<(u32, Vec<u8>)>, LogError> {
        match self.len()?.checked_sub(1) {
            Some(number) => Ok(Some((number, self.read(number)?))),
            None => Ok(None),
        }
    }

    /// The key of entry `number`.
    #[must_use]
    pub fn key(&self, number: u32) -> String {
        format!("{}/{number:0digits$}.toml", self.folder, digits = self.digits)
    }

    fn number_of(&self, key: &str) -> Option<u32> {
        let name = key.strip_prefix(&self.folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
        let plain = name.len() == self.digits && name.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| name.parse().ok())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::LocalStore;

    fn store() -> (tempfile::TempDir, LocalStore) {
        let dir = tempfile::tempdir().unwrap();
        let store = LocalStore::open(dir.path()).unwrap();
        (dir, store)
    }

    #[test]
    fn entries_come_back_in_order_and_numbers_are_taken_once() {
        let (_dir, store) = store();
        let log = NumberedLog::new(&store, "champion");
        assert_eq!(log.last().unwrap(), None);
        assert!(log.is_empty().unwrap());
        for number in 0..12 {
            log.append(number, format!("n = {number}").as_bytes()).unwrap();
        }
        assert_eq!(log.len().unwrap(), 12);
        assert!(!log.is_empty().unwrap());
        assert_eq!(log.read_all().unwrap()[11], b"n = 11");
        assert_eq!(log.last().unwrap(), Some((11, b"n = 11".to_vec())));
        assert!(matches!(log.append(5, b"x"), Err(LogError::Exists { number: 5, .. })));
        assert!(matches!(log.append(13, b"x"), Err(LogError::Gap { number: 12, .. })));
        assert_eq!(log.read(5).unwrap(), b"n = 5");
        assert!(matches!(log.append(999_999, b"x"), Err(LogError::Gap { number: 999_998, .. })));
        assert!(matches!(log.append(1_000_000, b"x"), Err(LogError::Full { .. })));
        assert_eq!(NumberedLog::with_digits(&store, "ingest", 8).key(7), "ingest/00000007.toml");
    }

    #[test]
    fn a_gap_and_a_foreign_object_are_found() {
        let (_dir, store) = store();
        let log = NumberedLog::new(&store, "log");
        log.append(0, b"").unwrap();
        store.put_new("log/000002.toml", b"").unwrap();
        assert!(matches!(log.last(), Err(LogError::Gap { number: 1, .. })));
        for name in ["notes.txt", "00000.toml", "0000000.toml", "00000x.toml", "x/000000.toml"] {
            let folder = format!("foreign-{}", name.replace('/', "-"));
            let foreign = format!("{folder}/{name}");
            store.put_new(&foreign, b"").unwrap();
            let len = NumberedLog::new(&store, &folder).len();
            assert!(matches!(len, Err(LogError::Foreign { key }) if key == foreign), "{name}");
        }
    }
}
