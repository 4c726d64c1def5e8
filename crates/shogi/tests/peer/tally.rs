//! What came up in the compared positions.

/// Counts of positions, by what was compared in them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// All positions.
    pub(crate) positions: u32,
    /// Legal moves of all positions.
    pub(crate) moves: u64,
    /// Positions with the side to move in check.
    pub(crate) checks: u32,
    /// Positions that ended by sennichite.
    pub(crate) sennichite: u32,
    /// Positions that ended by perpetual check.
    pub(crate) perpetual: u32,
    /// Positions in which a declaration would win.
    pub(crate) declarations: u32,
    /// Positions with a try.
    pub(crate) tries: u32,
    /// Positions without a legal move.
    pub(crate) mated: u32,
    /// Positions with a mate in one.
    pub(crate) mates: u32,
}
