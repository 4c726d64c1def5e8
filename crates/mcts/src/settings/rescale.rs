use serde::{Deserialize, Serialize};

/// How completed Q-values enter sigma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rescale {
    /// As they are, scores from 0 to 1.
    None,
    /// Stretched so that the worst of the root's moves has 0 and the best 1.
    MinMax,
}
