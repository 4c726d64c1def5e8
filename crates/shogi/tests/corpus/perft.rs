//! Leaf counts.

use keiko_shogi::{Position, divide, perft, perft_full};

use crate::rows::rows;

/// Leaves of the deepest counts that are made in every run; `keiko perft` makes the others.
const MOST_LEAVES: u64 = 60_000_000;
/// The same for counts that play every leaf.
const MOST_PLAYED_LEAVES: u64 = 1_500_000;

#[test]
fn leaf_counts_agree() {
    for row in rows("perft.tsv") {
        let depth: u32 = row[1].parse().unwrap();
        let leaves: u64 = row[2].parse().unwrap();
        let (mut position, _) = Position::from_problem_sfen(&row[0]).unwrap();
        if leaves <= MOST_LEAVES {
            assert_eq!(perft(&mut position, depth), leaves, "{} depth {depth}", row[0]);
        }
        if leaves <= MOST_PLAYED_LEAVES {
            assert_eq!(perft_full(&mut position, depth), leaves, "{} depth {depth}", row[0]);
            let divided = divide(&mut position, depth);
            assert_eq!(divided.iter().map(|(_, leaves)| leaves).sum::<u64>(), leaves);
        }
    }
}
