//! A store in memory that can fail for good after a number of writes, as if the process had been
//! killed there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use keiko_store::{PutError, Store, StoreError};

#[derive(Debug)]
pub(crate) struct MemoryStore(Mutex<Contents>);

#[derive(Debug)]
struct Contents {
    objects: BTreeMap<String, Vec<u8>>,
    /// Writes before every further one fails.
    left: usize,
}

impl MemoryStore {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Contents { objects: BTreeMap::new(), left: usize::MAX }))
    }

    /// A copy of what is there now that lets `writes` writes through.
    pub(crate) fn copy(&self, writes: usize) -> Self {
        let objects = self.0.lock().unwrap().objects.clone();
        Self(Mutex::new(Contents { objects, left: writes }))
    }

    fn write<R>(
        &self,
        write: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> R,
    ) -> Result<R, StoreError> {
        let mut contents = self.0.lock().unwrap();
        match contents.left.checked_sub(1) {
            Some(left) => {
                contents.left = left;
                Ok(write(&mut contents.objects))
            }
            None => Err(StoreError::Io {
                action: "reach",
                path: PathBuf::from("memory"),
                source: std::io::Error::other("killed"),
            }),
        }
    }
}

impl Store for MemoryStore {
    fn put_new(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        if self.exists(key)? {
            return Err(PutError::Exists { key: key.to_owned(), path: PathBuf::from(key) });
        }
        self.put_status(key, bytes)?;
        Ok(())
    }

    fn put_status(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(|objects| drop(objects.insert(key.to_owned(), bytes.to_vec())))
    }

    fn append(&self, key: &str, line: &str) -> Result<u64, StoreError> {
        self.write(|objects| {
            let object = objects.entry(key.to_owned()).or_default();
            object.extend_from_slice(line.as_bytes());
            object.push(b'\n');
            object.len() as u64
        })
    }

    fn sync(&self, _: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn truncate(&self, key: &str, len: u64) -> Result<(), StoreError> {
        self.write(|objects| {
            if let Some(object) = objects.get_mut(key) {
                assert!(len <= object.len() as u64, "{key} is shorter than {len}");
                object.truncate(len as usize);
            }
        })
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        let found = self.0.lock().unwrap().objects.get(key).cloned();
        found.ok_or_else(|| StoreError::NotFound { key: key.to_owned(), path: PathBuf::from(key) })
    }

    fn get_range(&self, key: &str, offset: u64, len: u32) -> Result<Vec<u8>, StoreError> {
        let start = offset as usize;
        Ok(self.get(key)?[start..start + len as usize].to_vec())
    }

    fn len(&self, key: &str) -> Result<u64, StoreError> {
        Ok(self.get(key)?.len() as u64)
    }

    fn exists(&self, key: &str) -> Result<bool, StoreError> {
        Ok(self.0.lock().unwrap().objects.contains_key(key))
    }

    fn list_after(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError> {
        let contents = self.0.lock().unwrap();
        let is_below = |key: &&String| {
            key.strip_prefix(prefix).is_some_and(|rest| prefix.is_empty() || rest.starts_with('/'))
        };
        Ok(contents
            .objects
            .keys()
            .filter(is_below)
            .filter(|key| key.as_str() > after)
            .cloned()
            .collect())
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.write(|objects| drop(objects.remove(key)))
    }
}
