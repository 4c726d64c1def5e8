//! The rules against an independent implementation of them, rsshogi.

#![expect(clippy::unwrap_used, reason = "a test fails where its data are wrong")]

mod pair;
mod style;
mod tally;

use tally::Tally;

/// Positions to compare at least. `cargo run --release -p keiko-shogi --example peer` takes more.
const POSITIONS: u32 = 24_000;

#[test]
fn random_games_are_the_same_in_rsshogi() {
    let tally = pair::compare(POSITIONS, 0x006b_6569_6b6f);
    assert!(tally.positions >= POSITIONS);
    // What the games are for does come up in them.
    let Tally { sennichite, perpetual, declarations, tries, mated, mates, .. } = tally;
    for (what, count) in [
        ("sennichite", sennichite),
        ("perpetual", perpetual),
        ("declarations", declarations),
        ("tries", tries),
        ("mated", mated),
        ("mates", mates),
    ] {
        assert!(count >= 10, "{what}: {tally:?}");
    }
}
