//! The scalars of `keiko-1`: what decides a game's value and no plane of dlshogi shows.

/// One scalar of an encoding, broadcast to a whole plane. "Own" is the side to move.
///
/// In a row they follow the whole planes in the order of [`Scalar::ALL`]. All are invariant under
/// the left-right mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// How often the position has occurred before, in thirds: 0 the first time, 1/3 the second,
    /// 2/3 the third, 1 the fourth (and every later) time.
    Repetition,
    /// Plies played over the maximum number of plies, 0..=1; 0 where the rules have no maximum.
    Progress,
    /// 1 when White is to move: White declares with 27 points and wins a 27-27 count.
    White,
    /// Own points as an entering-king declaration counts them (pieces in the opponent's camp and
    /// in hand; 5 for a big piece, 1 for any other, 0 for the king). Unit: 27 points; 0..=2.
    OwnDeclarationPoints,
    /// The opponent's points as a declaration counts them, in the same unit.
    OpponentDeclarationPoints,
    /// Own points on the whole board and in hand, as a count by agreement counts them. Unit: 27
    /// points, the half of all; 0..=2.
    OwnTotalPoints,
    /// The opponent's points on the whole board and in hand, in the same unit.
    OpponentTotalPoints,
    /// What a draw by repetition is worth to the side to move, 0..=1.
    SennichiteValue,
    /// What a draw by an impasse rule is worth to the side to move, 0..=1.
    JishogiValue,
    /// What a draw by the maximum number of plies is worth to the side to move, 0..=1.
    MaxPliesValue,
    /// 1 when 28 (White: 27) points declare a win: `csa27`, `csa27h`.
    Declaration27,
    /// 1 when 31 points declare a win and 24 a draw: `csa24`, `csa24h`.
    Declaration24,
    /// 1 when an impasse is counted without a declaration: `jishogi24`, `count27`, `amateur_west`.
    Count,
    /// 1 when a king that reaches its goal square wins: `try`, `try_both`.
    Try,
}

impl Scalar {
    /// Every scalar of `keiko-1`, in the order of a row.
    pub const ALL: [Self; 14] = [
        Self::Repetition,
        Self::Progress,
        Self::White,
        Self::OwnDeclarationPoints,
        Self::OpponentDeclarationPoints,
        Self::OwnTotalPoints,
        Self::OpponentTotalPoints,
        Self::SennichiteValue,
        Self::JishogiValue,
        Self::MaxPliesValue,
        Self::Declaration27,
        Self::Declaration24,
        Self::Count,
        Self::Try,
    ];
}
