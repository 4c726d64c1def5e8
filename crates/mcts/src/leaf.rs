use keiko_shogi::{Game, Move};

use crate::LeafId;

/// A position that needs an evaluation before the search can use it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// Names the leaf in [`Search::apply`](crate::Search::apply) and
    /// [`Search::cancel`](crate::Search::cancel).
    pub id: LeafId,
    /// The game with the moves from the root to the leaf played, its whole history included.
    pub game: &'a Game,
    /// The legal moves at the leaf, never empty; the logits of the evaluation follow this order.
    pub moves: &'a [Move],
}
