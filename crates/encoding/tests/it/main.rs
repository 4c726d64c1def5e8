//! Laws of the encodings, and dlshogi's planes and labels bit for bit.

#![expect(clippy::unwrap_used, reason = "a test that unwraps nothing has failed")]

mod ascii;
mod dlshogi;
mod labels;
mod layout;
mod mirror;
mod planes;
mod same;
mod scalars;
mod support;
mod turned;
