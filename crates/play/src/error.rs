use keiko_inference::BackendError;
use keiko_mcts::{ApplyError, BeginError};
use keiko_shogi::Move;

/// Why a group or a search stopped. The games in flight have no result.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A backend failed or answered nonsense.
    #[error("evaluation failed")]
    Backend(#[from] BackendError),
    /// A search could not begin.
    #[error("search cannot begin")]
    Begin(#[from] BeginError),
    /// A search refused an evaluation.
    #[error("evaluation refused")]
    Apply(#[from] ApplyError),
    /// The director chose a move that is not legal.
    #[error("move {mv} is not legal at ply {ply}")]
    IllegalMove {
        /// The move.
        mv: Move,
        /// Moves played before it.
        ply: u32,
    },
    /// A search asked to wait although nothing of it was outstanding.
    #[error("search waits for an evaluation that nobody owes it at ply {ply}")]
    Stalled {
        /// Moves played before.
        ply: u32,
    },
}
