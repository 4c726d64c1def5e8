//! The rules against the corpus in `tests/corpus`.

#![expect(clippy::unwrap_used, reason = "a test fails where its data are wrong")]

mod bugs;
mod games;
mod impasse;
mod legality;
mod mates;
mod perft;
mod repetition;
mod rows;
