//! Positions as SFEN text.

mod error;
mod read;
mod write;

pub use error::SfenError;
