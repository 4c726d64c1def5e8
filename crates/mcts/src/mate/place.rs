use keiko_shogi::Hand;

/// Where an entry of the table belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Key of board and side to move; in a search for a mate of limited length, mixed with the plies
    /// that are left.
    pub(super) board: u64,
    /// The attacker's hand. The pieces of one search being given, the defender's follows from it.
    pub(super) hand: Hand,
    /// Key of the positions on the way, this one left out.
    pub(super) path: u64,
}
