//! Games that are never trained on.

use crate::seed::derive;

/// Whether the game `index` of `stream` is held out: one in `modulus` games is, chosen by a hash of its
/// name, so the choice is the same in every run and at every time. A modulus of 0 holds out nothing. A game that
/// goes on from a position of an earlier one follows that one (see [`GameRecord::origin`](crate::GameRecord::origin)).
#[must_use]
pub fn is_held_out(stream: &str, index: u64, modulus: u64) -> bool {
    modulus != 0 && derive(0, stream, index).is_multiple_of(modulus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_one_in_modulus_whatever_the_stream() {
        for stream in ["gen-0001", "p-17"] {
            let count = (0..10_000).filter(|&index| is_held_out(stream, index, 50)).count();
            assert!((150..250).contains(&count), "{count}");
        }
        let chosen = |stream| (0..1000).filter(move |&index| is_held_out(stream, index, 50));
        assert!(chosen("gen-0001").ne(chosen("p-17")));
        assert!((0..100).all(|index| !is_held_out("a", index, 0)));
        assert!((0..100).all(|index| is_held_out("a", index, 1)));
    }
}
