//! Laws of the encodings, and dlshogi's planes and labels bit for bit.

mod ascii;
mod dlshogi;
mod labels;
mod layout;
mod mirror;
mod planes;
mod scalars;
mod support;
