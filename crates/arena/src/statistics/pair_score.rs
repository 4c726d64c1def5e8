use super::trinomial::GamePoints;

/// The points of the first player over the two games of one pair, in half points: 0 (lost both) ..= 4 (won both).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairScore(u8);

impl PairScore {
    /// The score of a pair from the first player's points in its two games.
    pub fn new(first: GamePoints, second: GamePoints) -> PairScore {
        PairScore(first.half_points() + second.half_points())
    }

    /// A score of `half_points`, `None` above 4.
    pub fn from_half_points(half_points: u8) -> Option<PairScore> {
        (half_points <= 4).then_some(PairScore(half_points))
    }

    /// Half points of the first player, 0 ..= 4.
    pub fn half_points(self) -> u8 {
        self.0
    }
}
