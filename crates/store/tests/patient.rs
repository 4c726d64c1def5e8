//! What a store does where the disk is full, with a disk that says so.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::fs::OpenOptions;
use std::io::{Error, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use keiko_store::{LocalStore, PatientStore, PutError, Room, Store, StoreError};

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// A store that fails so many writes before one succeeds.
#[derive(Debug)]
struct Full {
    disk: LocalStore,
    /// Writes that fail from now on.
    left: AtomicU32,
    /// What they fail with.
    errno: i32,
    /// Whether a failed creation has happened all the same, and a failed line by half.
    by_halves: bool,
}

impl Full {
    fn fails(&self) -> Result<(), StoreError> {
        let some =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        some.map_or(Ok(()), |_| {
            let (path, source) = ("x".into(), Error::from_raw_os_error(self.errno));
            Err(StoreError::Io { action: "write", path, source })
        })
    }
}

impl Store for Full {
    fn put_new(&self, key: &str, bytes: &[u8]) -> Result<(), PutError> {
        if let Err(failure) = self.fails() {
            if self.by_halves && !self.disk.exists(key)? {
                self.disk.put_new(key, bytes)?;
            }
            return Err(failure.into());
        }
        self.disk.put_new(key, bytes)
    }

    fn put_status(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.fails()?;
        self.disk.put_status(key, bytes)
    }

    fn append(&self, key: &str, line: &str) -> Result<u64, StoreError> {
        if let Err(failure) = self.fails() {
            if self.by_halves {
                let path = self.disk.root().join(key);
                let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
                file.write_all(&line.as_bytes()[..line.len() / 2]).unwrap();
            }
            return Err(failure);
        }
        self.disk.append(key, line)
    }

    fn sync(&self, key: &str) -> Result<(), StoreError> {
        self.disk.sync(key)
    }

    fn truncate(&self, key: &str, len: u64) -> Result<(), StoreError> {
        self.disk.truncate(key, len)
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        self.disk.get(key)
    }

    fn get_range(&self, key: &str, offset: u64, len: u32) -> Result<Vec<u8>, StoreError> {
        self.disk.get_range(key, offset, len)
    }

    fn len(&self, key: &str) -> Result<u64, StoreError> {
        self.disk.len(key)
    }

    fn exists(&self, key: &str) -> Result<bool, StoreError> {
        self.disk.exists(key)
    }

    fn list_after(&self, prefix: &str, after: &str) -> Result<Vec<String>, StoreError> {
        self.disk.list_after(prefix, after)
    }

    fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.disk.delete(key)
    }
}

/// Waits no time, but counts; gives up after so many.
#[derive(Debug, Clone)]
struct Counts {
    waits: Arc<AtomicU32>,
    found: Arc<AtomicU32>,
    patience: u32,
}

impl Room for Counts {
    fn wait(&self, failure: &StoreError) -> bool {
        assert!(failure.is_full());
        self.waits.fetch_add(1, Ordering::Relaxed) < self.patience
    }

    fn found(&self) {
        self.found.fetch_add(1, Ordering::Relaxed);
    }
}

struct Case {
    dir: tempfile::TempDir,
    store: PatientStore<Full>,
    counts: Counts,
}

impl Case {
    fn new(failures: u32, errno: i32, by_halves: bool, patience: u32) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let disk = LocalStore::open(dir.path()).unwrap();
        let full = Full { disk, left: AtomicU32::new(failures), errno, by_halves };
        let counts = Counts { waits: Arc::default(), found: Arc::default(), patience };
        let store = PatientStore::new(full, Box::new(counts.clone()));
        Self { dir, store, counts }
    }

    fn counted(&self) -> [u32; 2] {
        [&self.counts.waits, &self.counts.found].map(|count| count.load(Ordering::Relaxed))
    }
}

#[test]
fn writers_wait_until_there_is_room() {
    for by_halves in [false, true] {
        let write: [fn(&dyn Store); 3] = [
            |store| store.put_new("a", b"bytes").unwrap(),
            |store| store.put_status("a", b"bytes").unwrap(),
            |store| assert_eq!(store.append("a", "bytes").unwrap(), 6),
        ];
        for write in write {
            let case = Case::new(3, ENOSPC, by_halves, 10);
            write(&case.store);
            assert!(case.store.get("a").unwrap().starts_with(b"bytes"));
            assert!(case.store.len("a").unwrap() <= 6);
            assert_eq!(case.counted(), [3, 1]);
        }
    }
}

#[test]
fn lines_before_the_one_that_waited_stay() {
    let case = Case::new(2, ENOSPC, true, 10);
    std::fs::write(case.dir.path().join("log"), "first\n").unwrap();
    assert_eq!(case.store.append("log", "second").unwrap(), 13);
    assert_eq!(case.store.get("log").unwrap(), b"first\nsecond\n");
    assert_eq!(case.counted(), [2, 1]);
}

#[test]
fn an_object_of_somebody_else_is_not_taken_for_the_own_one() {
    let case = Case::new(0, ENOSPC, false, 10);
    case.store.put_new("a", b"theirs").unwrap();
    assert!(matches!(case.store.put_new("a", b"theirs"), Err(PutError::Exists { .. })));
    let case = Case::new(1, ENOSPC, true, 10);
    case.store.put_new("a", b"mine").unwrap();
    assert!(matches!(case.store.put_new("a", b"mine"), Err(PutError::Exists { .. })));
}

#[test]
fn whoever_gives_up_gets_the_failure() {
    let case = Case::new(100, ENOSPC, true, 2);
    let failure = case.store.append("log", "line").unwrap_err();
    assert!(failure.is_full());
    assert_eq!(case.counted(), [3, 0]);
}

#[test]
fn other_failures_are_not_waited_for() {
    let case = Case::new(1, EIO, false, 10);
    assert!(!case.store.append("log", "line").unwrap_err().is_full());
    case.store.append("log", "line").unwrap();
    assert_eq!(case.counted(), [0, 0]);
}

#[test]
fn what_needs_no_room_is_done_as_ever() {
    let Case { store, dir, .. } = Case::new(0, ENOSPC, false, 0);
    store.put_new("a/b", b"bytes").unwrap();
    store.append("log", "line").unwrap();
    store.sync("log").unwrap();
    assert!(store.sync("absent").is_err());
    store.truncate("log", 2).unwrap();
    assert_eq!(std::fs::read(dir.path().join("log")).unwrap(), b"li");
    assert_eq!((store.len("log").unwrap(), store.len("a/b").unwrap()), (2, 5));
    assert_eq!(store.get_range("a/b", 1, 2).unwrap(), b"yt");
    assert_eq!(store.list_after("", "a").unwrap(), ["a/b", "log"]);
    store.delete("a/b").unwrap();
    assert!(store.exists("log").unwrap() && !store.exists("a/b").unwrap());
}
