//! Training data of other programs: positions with the value a search gave them (hcpe, psv), and games with the visits
//! of each search (hcpe3). All numbers are little-endian; the files have no headers.

mod error;
mod game;
mod moves;
mod position;
mod records;
mod result;
mod skim;
mod yaneuraou;

pub use error::TrainingDataError;
pub use game::{GameReader, MAX_CANDIDATES, MAX_PLIES, SearchedGame, SearchedPly};
pub use position::{EvaluatedPosition, PositionFormat, PositionReader};
pub use result::{GameResult, ResultReason};
pub use skim::GameSize;
