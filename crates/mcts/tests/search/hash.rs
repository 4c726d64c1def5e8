//! Evaluations that are a hash of the position and the move.

use keiko_mcts::Wdl;
use keiko_shogi::{Move, Position};

/// Logits from -2 to 2 and chances for the side to move.
pub(crate) fn evaluation(position: &Position, moves: &[Move]) -> (Vec<f32>, Wdl) {
    (moves.iter().map(|&mv| logit(position, mv)).collect(), wdl(position))
}

fn logit(position: &Position, mv: Move) -> f32 {
    4.0 * unit(position.key() ^ u64::from(mv.to_bits())) - 2.0
}

fn wdl(position: &Position) -> Wdl {
    let win = 0.875 * unit(position.key());
    Wdl { win, draw: 0.125, loss: 0.875 - win }
}

/// The first 24 bits of a hash (SplitMix64's last step) as a number from 0 to below 1.
fn unit(key: u64) -> f32 {
    let mut hash = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((hash ^ (hash >> 31)) >> 40) as f32 / 16_777_216.0
}
