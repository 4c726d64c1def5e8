use thiserror::Error;

/// Why a search could not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BeginError {
    /// The side to move has no legal move, so the game is over.
    #[error("no legal move at the root")]
    NoLegalMove,
}
