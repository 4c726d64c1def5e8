use keiko_mcts::Wdl;
use keiko_shogi::{Color, DrawValues, Game, GameEnd, Outcome};

/// Whether two searches agree to count instead of playing on (impasse rule `jishogi24`).
///
/// Only a position where both kings have entered and both sides have the points for a draw comes into
/// question: a side that would lose the count never agrees. There a side agrees when its latest search
/// expects at most `threshold` more from playing on than the draw is worth to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JishogiAgreement {
    threshold: f32,
    /// What each side expects above the draw, by colour, from its last turn if that was such a position.
    excess: [Option<f32>; 2],
}

impl JishogiAgreement {
    /// Both sides yet undecided. `threshold` is a difference of expected scores, 0..=1.
    #[must_use]
    pub fn new(threshold: f32) -> Self {
        Self { threshold, excess: [None; 2] }
    }

    /// Notes what the side to move expects, and returns the end of the game if both sides agree now.
    pub fn observe(&mut self, game: &Game, wdl: Wdl, draw_values: DrawValues) -> Option<GameEnd> {
        let side = game.position().side_to_move();
        let end = game.agree().filter(|end| end.outcome == Outcome::Draw);
        self.excess[side.index()] = end.map(|_| {
            let draw = match side {
                Color::Black => draw_values.jishogi,
                Color::White => 1.0 - draw_values.jishogi,
            };
            wdl.score(draw) - draw
        });
        let agreed = self.excess.iter().all(|excess| excess.is_some_and(|x| x <= self.threshold));
        end.filter(|_| agreed)
    }
}
