//! Other people's bytes and text.
//!
//! What is read here comes from outside: every decoder answers with an error that names the line or the
//! place, and none panics. What is written here is what other programs read. Games of one line each
//! ([`GameLine`]), opening lists ([`Opening`]), and positions of 32 bytes ([`hcp`]).
//!
//! This crate knows the rules of `keiko-shogi` and nothing of searches, nets or files.

mod game_line;
pub mod hcp;
mod line;
mod opening;

pub use game_line::{GameLine, GameLineError};
pub use line::LineError;
pub use opening::{Opening, OpeningError};
