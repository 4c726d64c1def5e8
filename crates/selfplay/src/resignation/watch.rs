use keiko_play::{ResignWatch, Resignation};
use keiko_shogi::{Game, ImpasseRule};

use super::class::{ClassWatch, is_king_inside};
use super::{GameClass, Thresholds};

/// Follows one game and says when the side to move resigns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    class: ClassWatch,
    lost: ResignWatch,
}

impl Watch {
    /// For a game that begins, or goes on from here.
    pub(crate) fn new(game: &Game) -> Self {
        Self { class: ClassWatch::of_game(game), lost: ResignWatch::default() }
    }

    /// Is to be told of every position of the game.
    pub(crate) fn see(&mut self, game: &Game) {
        self.class.see(game.position());
    }

    /// The class of the game so far.
    pub(crate) fn class(&self, game: &Game) -> GameClass {
        self.class.class(game.ply())
    }

    /// Whether the side to move, which expects `score`, 0 to 1, resigns: all of its last `turns` turns count as
    /// lost by the thresholds of their classes. A turn on which nobody may resign counts as none.
    pub(crate) fn resigns(
        &mut self,
        game: &Game,
        score: f32,
        thresholds: &Thresholds,
        turns: u32,
    ) -> bool {
        let threshold = if may_resign(game) { thresholds.of(self.class(game)) } else { 0.0 };
        let side = game.position().side_to_move();
        self.lost.observe(side, score, &Resignation { threshold, turns })
    }
}

/// Nobody resigns while a king stands in the enemy camp, where games are won and drawn by points that nets are slow
/// to learn. Under `jishogi24` a side may that has fewer than 24 points, with which it loses the count.
pub(super) fn may_resign(game: &Game) -> bool {
    let side = game.position().side_to_move();
    let loses_count =
        game.rules().impasse == ImpasseRule::Jishogi24 && game.credited_points(side) < 24;
    loses_count || !is_king_inside(game.position())
}
