use thiserror::Error;

/// Why an evaluation was refused. The leaf stays outstanding, the tree is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ApplyError {
    /// The leaf was applied or cancelled before.
    #[error("leaf is not outstanding")]
    UnknownLeaf,
    /// The number of logits is not the number of the leaf's moves.
    #[error("{logits} logits for {moves} moves")]
    Length {
        /// Logits given.
        logits: usize,
        /// Legal moves of the leaf.
        moves: usize,
    },
    /// A logit is infinite or not a number.
    #[error("logit {index} is not finite")]
    Logit {
        /// Index of the logit.
        index: usize,
    },
    /// The chances are not probabilities that sum to 1 (within 0.001).
    #[error("win, draw and loss are not probabilities that sum to 1")]
    Wdl,
}
