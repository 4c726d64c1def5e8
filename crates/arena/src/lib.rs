//! Matches between players, the statistics that judge them, and the gate.
//!
//! A [`contest`] plays two networks against each other in lockstep groups and stops when the sequential test of
//! [`statistics`] has decided; the [`gate`] is a contest between a candidate and the champion with a stored verdict.
//!
//! The crate knows no training, no run layout beyond its own folder of the store, and no network library.

pub mod contest;
pub mod gate;
pub mod openings;
pub mod statistics;
pub mod tally;
