//! Games between search players.
//!
//! A [`Group`] plays many games in lockstep on one thread: in every step each game selects one leaf, all
//! leaves of one backend go out as batches of one fixed shape, and all games apply their answers. There
//! are no locks and no channels inside a group, and what a group plays is a function of its
//! [`Director`]: the clock, the number of threads and the other groups have no part in it. [`think()`]
//! searches a single position with several leaves at a time, for play against the clock.
//!
//! The caller decides which games are played, how long each move is searched, which move is played and
//! when a side resigns; this crate applies the rules and the clock arithmetic. It knows no records, no
//! ratings and no model files.

mod agreement;
mod clock;
mod director;
mod error;
mod finished;
mod group;
mod pace;
mod player;
mod resignation;
mod think;
mod time_budget;
mod time_control;

pub use agreement::JishogiAgreement;
pub use clock::{Clock, OutOfTime};
pub use director::{Decision, Director, NewGame, Next, Turn};
pub use error::PlayError;
pub use finished::{FinishedGame, PlyTrace};
pub use group::{Activity, Group, GroupCounts, GroupSettings};
pub use pace::Pace;
pub use player::Player;
pub use resignation::{ResignWatch, Resignation};
pub use think::{ThinkSettings, Thinking, think};
pub use time_budget::{Margins, TimeBudget, TimeSettings};
pub use time_control::{Remaining, TimeControl};
