/// Chances of winning, drawing and losing, for the side to move at the node they belong to.
///
/// The three sum to 1. [`Wdl::flipped`] is the only change of perspective in this crate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// Probability that the side to move wins, 0 to 1.
    pub win: f32,
    /// Probability of a draw of any kind, 0 to 1.
    pub draw: f32,
    /// Probability that the side to move loses, 0 to 1.
    pub loss: f32,
}

impl Wdl {
    /// The side to move wins for certain.
    pub const WIN: Self = Self { win: 1.0, draw: 0.0, loss: 0.0 };
    /// The game is drawn for certain.
    pub const DRAW: Self = Self { win: 0.0, draw: 1.0, loss: 0.0 };
    /// The side to move loses for certain.
    pub const LOSS: Self = Self { win: 0.0, draw: 0.0, loss: 1.0 };

    /// The same chances for the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Expected score, 0 (loss) to 1 (win), of the side to move when a draw is worth `draw_value`
    /// (0 to 1) to it.
    #[must_use]
    pub fn score(self, draw_value: f32) -> f32 {
        self.win + draw_value * self.draw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_both_sides_sum_to_one() {
        let wdl = Wdl { win: 0.5, draw: 0.25, loss: 0.25 };
        for draw_value in [0.0, 0.25, 0.5, 1.0] {
            let sum = wdl.score(draw_value) + wdl.flipped().score(1.0 - draw_value);
            assert!((sum - 1.0).abs() < 1e-6, "{draw_value}: {sum}");
        }
        assert_eq!(Wdl::WIN.flipped(), Wdl::LOSS);
        assert_eq!(Wdl::DRAW.flipped(), Wdl::DRAW);
    }
}
