//! KIF records: the format that people and their programs open.
//!
//! Written in UTF-8. The main line of a record is read; variations (変化) are counted and passed over.

mod board;
mod line;
mod moves;
mod names;
mod read;
mod word;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
