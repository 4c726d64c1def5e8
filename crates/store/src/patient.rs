//! A store that waits where the disk is full.

use std::fmt::Debug;

use crate::error::{PutError, StoreError};
use crate::store::Store;

/// What to do while there is no room.
pub trait Room: Debug + Send + Sync {
    /// Called when a disk was full, however often it still is; returns after a while. False gives up: the caller of the
    /// store gets `failure`.
    fn wait(&self, failure: &StoreError) -> bool;

    /// Called once what had to wait is written.
    fn found(&self);
}

/// A store whose writers wait for room where the disk, or a quota, is full: nothing is written by halves, and
/// nothing is lost but time.
#[derive(Debug)]
pub struct PatientStore<S> {
    inner: S,
    room: Box<dyn Room>,
}

impl<S: Store> PatientStore<S> {
    /// Waits as `room` says.
    #[must_use]
    pub fn new(inner: S, room: Box<dyn Room>) -> Self {
        Self { inner, room }
    }

    /// Tries until there is room. `write` is told whether it was tried before.
    fn patiently<T, E>(
        &self,
        full: impl Fn(&E) -> Option<&StoreError>,
        mut write: impl FnMut(bool) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut waited = false;
        loop {
            let result = write(waited);
            match result.as_ref().err().and_then(&full) {
                Some(failure) if self.room.wait(failure) => waited = true,
                Some(_) => return result,
                None => {
                    if waited && result.is_ok() {
                        self.room.found();
                    }
                    return result;
                }
            }
        }
    }
}

/// The failure, if it is one of room.
fn full(failure: &StoreError) -> Option<&StoreError> {
    failure.is_full().then_some(failure)
}

impl<S: Store> Store for PatientStore<S> {
    fn put_new(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        self.patiently(
            |failure| match failure {
                PutError::Store(failure) => full(failure),
                PutError::Exists { .. } => None,
            },
            // A try that failed at its last step has put the object there.
            |again| {
                if again { self.inner.put_same(key, bytes) } else { self.inner.put_new(key, bytes) }
            },
        )
    }

    fn put_status(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.patiently(full, |_| self.inner.put_status(key, bytes))
    }

    fn append(&self, key: &str, line: &str) -> Result<u64, StoreError> {
        let before = match self.inner.len(key) {
            Err(StoreError::NotFound { .. }) => 0,
            other => other?,
        };
        self.patiently(full, |again| {
            if again {
                // A part of the line may be there.
                self.inner.truncate(key, before)?;
            }
            self.inner.append(key, line)
        })
    }

    fn sync(&self, key: &str) -> Result<(), StoreError> {
        self.inner.sync(key)
    }

    fn truncate(&self, key: &str, len: u64) -> Result<(), StoreError> {
        self.inner.truncate(key, len)
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        self.inner.get(key)
    }

    fn get_range(&self, key: &str, offset: u64, len: u32) -> Result<Vec<u8>, StoreError> {
        self.inner.get_range(key, offset, len)
    }

    fn len(&self, key: &str) -> Result<u64, StoreError> {
        self.inner.len(key)
    }

    fn exists(&self, key: &str) -> Result<bool, StoreError> {
        self.inner.exists(key)
    }

    fn list_after(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError> {
        self.inner.list_after(prefix, after)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.inner.delete(key)
    }
}
