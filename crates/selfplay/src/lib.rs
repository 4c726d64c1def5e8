//! Training games by a pool of workers.
//!
//! [`generate()`] plays the games of one stream with one model against itself and writes them as shards.
//! Every game is a function of the run's seed, the stream, its index, the model and the settings: its random
//! numbers come from its own seed, the group it is played in follows from its index, and every batch has the
//! same padded shape. So shards are the same bytes whatever the number of workers, and a generation that was
//! stopped or killed is continued by playing the games whose shards are missing.
//!
//! Games begin from the ordinary start, an opening book, a shuffled start, or a position of an earlier game
//! ([`Sources`]), and sides resign by thresholds that follow from an audit of earlier games ([`Thresholds`]). What
//! these are for a stream is its [`Plan`], made before its first game and kept.
//!
//! Games in flight when the last game has begun are finished, never dropped, so that short games are not
//! preferred. A stop drops them, and they are played again, the same, when the generation goes on.
//!
//! Stored games can be searched anew by another model ([`relabel()`]): what is learnt from them is then its, the games stay.
//!
//! The crate knows no LibTorch, no champions and no ratings: it is given a function that makes backends.

mod allowance;
mod choose;
mod director;
mod event;
mod generate;
mod plan;
mod record;
mod relabel;
mod resignation;
mod settings;
mod sink;
mod sources;
mod statistics;
mod stream;

pub use allowance::Allowance;
pub use event::{Event, Progress};
pub use generate::{GenerateError, Generation, Report, generate};
pub use plan::{Plan, PlanError};
pub use record::RecordError;
pub use relabel::{Relabel, RelabelError, Relabelled, relabel};
pub use resignation::{Audit, GameClass, LONG_PLIES, ResignCounts, Thresholds};
pub use settings::{
    FastSearch, Growth, Opening, OpeningChoice, ReplayedDraws, ResignAudit, Settings,
    SettingsError, Starts, Temperature,
};
pub use sink::ShardSink;
pub use sources::{Book, BookError, PastGames, Sources};
pub use statistics::{Lessons, Statistics};
pub use stream::{Stream, StreamError, add_statistics_of};
