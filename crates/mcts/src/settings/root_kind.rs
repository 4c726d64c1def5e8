use serde::{Deserialize, Serialize};

/// How moves are chosen at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootKind {
    /// Sequential halving over Gumbel-Top-k moves (Danihelka et al. 2022).
    Gumbel,
    /// PUCT with Dirichlet noise (AlphaZero).
    Puct,
}
