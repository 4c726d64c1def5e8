//! What resignation did to a game.

/// Flags for the audit of the resignation threshold.
///
/// In games that are played on, a side that would have resigned and did not lose is a wrong
/// resignation; their share sets the threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResignAudit {
    /// The game was chosen to go on past the threshold.
    pub played_on: bool,
    /// Plies played when Black's value first stayed below the threshold.
    pub black_ply: Option<u16>,
    /// Plies played when White's value first stayed below the threshold.
    pub white_ply: Option<u16>,
}
