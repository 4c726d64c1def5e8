//! What the stages of a run ask of its storage.

use std::fmt::Debug;

use crate::error::{PutError, StoreError};

/// Storage of one run. Keys are plain relative paths (see [`check_key`](crate::check_key)).
///
/// Every method fails with [`StoreError::InvalidKey`] on another key, with [`StoreError::Moved`] where the
/// storage went away, and with [`StoreError::Io`] where the system refuses; the `# Errors` sections name what comes on top.
pub trait Store: Debug + Send + Sync {
    /// Creates an object if the key is free, whole and durable before it returns: after a kill or a
    /// power cut at any moment the key is either absent or holds exactly `bytes`. Of several callers
    /// racing for one key exactly one succeeds.
    ///
    /// # Errors
    ///
    /// [`PutError::Exists`] if the key is taken; the object there stays as it is.
    fn put_new(&self, key: &str, bytes: &[u8]) -> Result<(), PutError>;

    /// Replaces a status object whole: a reader sees the old bytes or the new ones. Only for what may
    /// be lost, such as heartbeats.
    ///
    /// # Errors
    ///
    /// As for all methods.
    fn put_status(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError>;

    /// Appends `line` and, where it has none, an end of line. Returns the object's new length in bytes.
    /// Durable only after [`sync`](Self::sync).
    ///
    /// # Errors
    ///
    /// As for all methods. After an error a part of the line may be there: truncate to the last good
    /// length.
    fn append(&self, key: &str, line: &str) -> Result<u64, StoreError>;

    /// Makes all lines appended so far durable.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] if nothing was appended yet.
    fn sync(&self, key: &str) -> Result<(), StoreError>;

    /// Cuts an appended object back to `len` bytes, durably. Length 0 of an absent object is no error.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooShort`] if it is shorter than `len`, [`StoreError::NotFound`] if absent.
    fn truncate(&self, key: &str, len: u64) -> Result<(), StoreError>;

    /// All bytes of an object.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], and [`StoreError::Damaged`] if it is a text that is not what was written.
    fn get(&self, key: &str) -> Result<Vec<u8>, StoreError>;

    /// The `len` bytes from `offset` on, as they are stored.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], and [`StoreError::TooShort`] if the object ends before.
    fn get_range(&self, key: &str, offset: u64, len: u32) -> Result<Vec<u8>, StoreError>;

    /// The length of an object as it is stored, in bytes.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`].
    fn len(&self, key: &str) -> Result<u64, StoreError>;

    /// Whether the key is taken.
    ///
    /// # Errors
    ///
    /// As for all methods.
    fn exists(&self, key: &str) -> Result<bool, StoreError>;

    /// The keys below the folder `prefix` (all keys if it is empty) that are greater than `after`, in
    /// byte order. Unfinished and foreign files are not listed; an absent folder lists nothing.
    ///
    /// # Errors
    ///
    /// As for all methods; an empty `prefix` or `after` is allowed.
    fn list_after(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError>;

    /// Removes an object; an absent one is no error.
    ///
    /// # Errors
    ///
    /// As for all methods.
    fn delete(&self, key: &str) -> Result<(), StoreError>;

    /// Like [`put_new`](Self::put_new), but an object that already holds exactly `bytes` is a success:
    /// the step of a restarted stage that may have been done before.
    ///
    /// # Errors
    ///
    /// [`PutError::Exists`] if the key holds other bytes.
    fn put_same(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        match self.put_new(key, bytes) {
            Err(PutError::Exists { .. }) if self.get(key)? == bytes => Ok(()),
            other => other,
        }
    }
}
