//! Other people's bytes and text.
//!
//! What is read here comes from outside: every decoder answers with an error that names the line or the
//! place, and none panics. What is written here is what other programs read. Games of one line each
//! ([`GameLine`]), opening lists ([`Opening`]), records of games in CSA, KIF and lines ([`Record`], which
//! [`RecordReader`] reads and [`RecordFormat`] writes), positions of 32 bytes ([`packed`]), and training data ([`training`]).
//!
//! This crate knows the rules of `keiko-shogi` and nothing of searches, nets or files.

mod csa;
mod game_line;
mod kif;
mod line;
mod opening;
pub mod packed;
mod record;
mod text;
pub mod training;
pub mod win_rate;

pub use game_line::{GameLine, GameLineError};
pub use line::LineError;
pub use opening::{Opening, OpeningError};
pub use record::{
    Clock, Ending, Evaluation, Header, LARGEST_GAME_BYTES, Loss, Note, ParseRecordFormatError,
    ParseRecordReasonError, ReadError, Record, RecordError, RecordFormat, RecordReader,
    RecordReason, SCORES_CP, TIMES_MS, Unplayable, per_move,
};
