use keiko_shogi::Move;

use crate::{Proof, Wdl};

/// What a search found about one legal move of the root. All values are for the side to move at
/// the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Applied visits, those kept from an earlier search included.
    pub visits: u32,
    /// Mean of the visits, or the exact result where the move is proven. A move that was never
    /// visited repeats the root's chances.
    pub wdl: Wdl,
    /// Expected score of the move, 0 to 1, with every draw valued by its kind. A move that was
    /// never visited repeats the root's score.
    pub score: f32,
    /// The evaluator's probability before noise and temperature; sums to 1 over the root's moves.
    pub prior: f32,
    /// The policy to learn; sums to 1 over the root's moves. See
    /// [`RootSummary`](crate::RootSummary).
    pub policy: f32,
    /// The certain result of the move, if one is known.
    pub proof: Option<Proof>,
}
