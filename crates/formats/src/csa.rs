//! CSA records, version 2.2 and 3.0: the format of computer shogi.
//!
//! Comments that begin with `'*` are those of the game; one that begins with `'**` and holds a score and
//! moves is an [`Evaluation`](crate::Evaluation). Other comments (`'`) are kept as well.

mod code;
mod moves;
mod pieces;
mod read;
mod start;
mod write;

pub(crate) use moves::{move_text, parse_move};
pub(crate) use read::read;
pub(crate) use write::{Version, write};
