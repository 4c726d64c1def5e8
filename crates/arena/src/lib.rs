//! Matches between players, the statistics that judge them, and the gate.
//!
//! A [`contest`] plays two networks against each other in lockstep groups and stops when the sequential test of
//! [`statistics`] has decided; the [`gate`] is a contest between a candidate and the champion with a stored verdict.
//! A [`referee`] plays single games between any two [`Player`](referee::Player)s by the clock, foreign USI engines
//! ([`usi_player`]) among them, and [`usi_match`] plays matches of such games. A [`gauntlet`] is an event of many engines of all kinds,
//! which are rated together.
//!
//! A [`Reference`](reference::Reference) is a player without a net that results can be compared with, and the
//! [`yardstick`]s say what a net knows without any search.
//!
//! The crate knows no training, no run layout beyond its own folder of the store, and no network library.

pub mod contest;
pub mod gate;
pub mod gauntlet;
pub mod openings;
pub mod referee;
pub mod reference;
pub mod search_player;
pub mod statistics;
pub mod tally;
pub mod usi_match;
pub mod usi_player;
mod worth;
pub mod yardstick;
