//! The program `keiko`.
fn main() {}
