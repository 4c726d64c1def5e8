//! Durable storage of a run: objects that are created once, numbered logs on top of them, checksums.
//!
//! Everything that matters is created once and never changed ([`Store::put_new`]). What would be a
//! pointer elsewhere ("the current champion") is a [`NumberedLog`] here: its last entry. So the same
//! code is right on a local directory and on an object store with conditional writes, and no reader
//! can meet a half-written object. Two kinds of object may change: status files, replaced whole
//! ([`Store::put_status`]), and appended lines ([`Store::append`]), which a resumed run cuts back to
//! the length its checkpoint recorded ([`Store::truncate`]).
//!
//! A text (`*.toml`) is stored with its hash in a first line of its own, which reading checks and takes away.
//!
//! Stages take a `&dyn Store`, never a path. This crate knows nothing about games or nets.

mod error;
mod hint;
mod key;
mod local;
mod lock;
mod numbered;
mod patient;
mod seal;
mod sha256;
mod store;

pub use error::{PutError, StoreError};
pub use key::{KeyError, MAX_KEY_BYTES, MAX_SEGMENT_BYTES, check_key};
pub use local::{LocalStore, Replacement};
pub use lock::{LockError, RunLock, lock_owner};
pub use numbered::{LogError, NumberedLog};
pub use patient::{PatientStore, Room};
pub use sha256::{Sha256, Sha256ParseError};
pub use store::Store;
