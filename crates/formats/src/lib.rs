//! Other people's bytes and text.
//!
//! What is read here comes from outside: every decoder answers with an error that names the line or the
//! place, and none panics. What is written here is what other programs read. Games of one line each
//! ([`GameLine`]), opening lists ([`Opening`]), records of games in CSA, KIF and lines ([`Record`], which
//! [`RecordReader`] reads and [`RecordFormat`] writes), and positions of 32 bytes ([`hcp`]).
//!
//! This crate knows the rules of `keiko-shogi` and nothing of searches, nets or files.

mod csa;
mod game_line;
pub mod hcp;
mod kif;
mod line;
mod opening;
mod record;
mod setup;
mod text;

pub use game_line::{GameLine, GameLineError};
pub use line::LineError;
pub use opening::{Opening, OpeningError};
pub use record::{
    Clock, Ending, Evaluation, Header, Loss, Note, ParseRecordFormatError, ParseRecordReasonError,
    ReadError, Record, RecordError, RecordFormat, RecordReader, RecordReason, Unplayable,
};
