//! Matches between players, the statistics that judge them, and the gate.

pub mod statistics;
