use crate::Noise;

/// How one search differs from the next under the same settings: full and fast searches of
/// self-play, and matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimit {
    /// Simulations to run, each one more visit of a move of the root. The evaluation of the root
    /// itself is not one, nor are visits kept from an earlier search.
    pub simulations: u32,
    /// Whether the root is explored with noise.
    pub noise: Noise,
}
