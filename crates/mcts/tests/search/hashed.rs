//! Evaluators without a network.

use keiko_mcts::{Leaf, Wdl};

use crate::hash::evaluation;

/// Everything is a hash of the position and the move.
pub(crate) fn hashed(leaf: &Leaf<'_>) -> (Vec<f32>, Wdl) {
    evaluation(leaf.game.position(), leaf.moves)
}

/// Equal logits and even chances.
pub(crate) fn uniform(leaf: &Leaf<'_>) -> (Vec<f32>, Wdl) {
    (vec![0.0; leaf.moves.len()], Wdl { win: 0.4, draw: 0.2, loss: 0.4 })
}
