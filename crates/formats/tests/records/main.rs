//! Records of games: what other programs write, and laws.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod bugs;
mod csa;
mod damage;
mod endings;
mod games;
mod kif;
mod laws;
mod lines;
mod support;
