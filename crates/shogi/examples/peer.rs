//! Compares the rules with rsshogi over as many random games as asked.
//!
//! `cargo run --release -p keiko-shogi --example peer -- 10000000 1` compares ten million positions
//! of the games of seed 1.

#![expect(clippy::unwrap_used, reason = "a difference ends the program")]
#![expect(clippy::print_stdout, reason = "it says what was compared")]

#[path = "../tests/peer/pair.rs"]
mod pair;
#[path = "../tests/peer/style.rs"]
mod style;
#[path = "../tests/peer/tally.rs"]
mod tally;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap());
    let positions = arguments.next().unwrap_or(1_000_000).try_into().unwrap();
    let seed = arguments.next().unwrap_or(0);
    println!("{:#?}", pair::compare(positions, seed));
}
