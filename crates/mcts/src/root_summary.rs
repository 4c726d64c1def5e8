use keiko_shogi::Move;

use crate::{Proof, RootMove, Wdl};

/// What a search found at its root. All values are for the side to move at the root.
///
/// The policy of the moves is, with a Gumbel root, the improved policy softmax(logits +
/// sigma(completed Q)) of Danihelka et al. 2022; with a PUCT root, the share of the visits among
/// moves that are not proven to lose, less the forced ones (see
/// [`PuctSettings::forced_playouts`](crate::PuctSettings::forced_playouts)). Once a win is proven it is, with either root, the prior
/// restricted to the moves that are proven to win.
#[derive(Clone, Debug, PartialEq)]
pub struct RootSummary {
    /// Every legal move, in ascending order of [`Move`].
    pub moves: Vec<RootMove>,
    /// Mean of the root's own evaluation and all visits but those of moves that are proven to lose,
    /// or the exact result if proven.
    pub wdl: Wdl,
    /// Expected score, 0 to 1, that goes with `wdl`, with every draw valued by its kind.
    pub score: f32,
    /// The evaluator's chances for the root itself.
    pub raw_wdl: Wdl,
    /// The move to play: a proven win if there is one, never a proven loss unless all moves lose, the best
    /// draw if the root is proven to draw; else the most visited move, or what
    /// [`PuctSettings::lcb_stdevs`](crate::PuctSettings::lcb_stdevs) says.
    pub best: Move,
    /// Simulations of this search that were applied, visits kept from an earlier one left out.
    pub simulations: u32,
    /// The certain result of the root, if one is known. A declaration at the root is not looked
    /// at: whoever plays declares before searching.
    pub proven: Option<Proof>,
}
