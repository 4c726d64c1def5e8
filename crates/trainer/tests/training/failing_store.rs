//! A store that fails for good after a number of writes, as if the process had been killed there.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use keiko_store::{LocalStore, PutError, Store, StoreError};

#[derive(Debug)]
pub(crate) struct FailingStore<'s> {
    store: &'s LocalStore,
    left: AtomicUsize,
}

impl<'s> FailingStore<'s> {
    /// Lets `writes` writes through.
    pub(crate) fn new(store: &'s LocalStore, writes: usize) -> Self {
        Self { store, left: AtomicUsize::new(writes) }
    }

    fn write(&self) -> Result<(), StoreError> {
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        left.map(|_| ()).map_err(|_| StoreError::Io {
            action: "reach",
            path: PathBuf::from("store"),
            source: std::io::Error::other("killed"),
        })
    }
}

impl Store for FailingStore<'_> {
    fn put_new(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        self.write()?;
        self.store.put_new(key, bytes)
    }

    fn put_status(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write()?;
        self.store.put_status(key, bytes)
    }

    fn append(&self, key: &str, line: &str) -> Result<u64, StoreError> {
        self.write()?;
        self.store.append(key, line)
    }

    fn sync(&self, key: &str) -> Result<(), StoreError> {
        self.store.sync(key)
    }

    fn truncate(&self, key: &str, len: u64) -> Result<(), StoreError> {
        self.write()?;
        self.store.truncate(key, len)
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        self.store.get(key)
    }

    fn get_range(&self, key: &str, offset: u64, len: u32) -> Result<Vec<u8>, StoreError> {
        self.store.get_range(key, offset, len)
    }

    fn len(&self, key: &str) -> Result<u64, StoreError> {
        self.store.len(key)
    }

    fn exists(&self, key: &str) -> Result<bool, StoreError> {
        self.store.exists(key)
    }

    fn list_after(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError> {
        self.store.list_after(prefix, after)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.write()?;
        self.store.delete(key)
    }
}
