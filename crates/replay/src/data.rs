//! Other people's files as training rows.
//!
//! Positions with scores (hcpe, psv), games with the visits of their searches (hcpe3) and records of games (CSA, KIF,
//! USI lines). Files are cut into blocks at the borders of records; an epoch reads the blocks in an order that follows
//! from the seed, shuffles as many rows at a time as the settings say, and so needs the same memory however large the
//! files are. Which rows make which batch is a function of files, settings and seed: a [`Cursor`] is all that is needed
//! to go on, whatever the number of threads.
//!
//! Nothing is trusted: sizes are walked through before anything is learnt, and each record is checked against the rules
//! when it is read.

mod block;
mod counts;
mod cursor;
mod decode;
mod error;
mod file;
mod fingerprint;
mod kind;
mod order;
mod pool;
mod reader;
mod record;
mod rows;
mod set;
mod verdict;

pub use counts::DataCounts;
pub use cursor::Cursor;
pub use error::DataError;
pub use file::DataFile;
pub use kind::{DataKind, ParseDataKindError};
pub use pool::Pool;
pub use reader::{Draw, PoolReader};
pub use set::{DataSet, Reading};
