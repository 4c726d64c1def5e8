//! The rules on the command line: `keiko perft`, `keiko legal`, `keiko judge`,
//! `keiko mate`.
//!
//! Each answers one case given by options, or one case a line from standard input.

mod answer;
mod case;
mod judge;
mod legal;
mod mate;
mod perft;

pub(crate) use judge::{JudgeArgs, judge};
pub(crate) use legal::{LegalArgs, legal};
pub(crate) use mate::{MateArgs, mate};
pub(crate) use perft::{PerftArgs, perft};
