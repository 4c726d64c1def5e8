//! The values of the scalars.

use keiko_shogi::{Color, Game, ImpasseRule};

use super::view::{CAMPS, View};
use crate::bits::BOARD;
use crate::context::Context;
use crate::scalar::Scalar;

/// The unit of points: half of the 54 points that a full set of pieces is worth.
const POINTS: f32 = 27.0;

/// The scalars of the game's current position, in the order of [`Scalar::ALL`].
pub(super) fn scalars(view: &View, game: &Game, context: &Context) -> [f32; Scalar::ALL.len()] {
    let rules = game.rules();
    let progress = match rules.max_plies {
        Some(maximum @ 1..) => (game.ply() as f32 / f32::from(maximum)).min(1.0),
        Some(0) | None => 0.0,
    };
    let points = |side: usize, squares: u128| {
        (view.board_points(side, squares) + view.hand_points(side)) as f32 / POINTS
    };
    let own = |value: f32| match view.side_to_move {
        Color::Black => value,
        Color::White => 1.0 - value,
    };
    let draws = context.draw_values;
    let impasse = rules.impasse;
    [
        (game.repetition().occurrences.clamp(1, 4) - 1) as f32 / 3.0,
        progress,
        indicator(view.side_to_move == Color::White),
        points(0, CAMPS[0]),
        points(1, CAMPS[1]),
        points(0, BOARD),
        points(1, BOARD),
        own(draws.sennichite),
        own(draws.jishogi),
        own(draws.max_plies),
        indicator(matches!(impasse, ImpasseRule::Csa27 | ImpasseRule::Csa27h)),
        indicator(matches!(impasse, ImpasseRule::Csa24 | ImpasseRule::Csa24h)),
        indicator(matches!(
            impasse,
            ImpasseRule::Jishogi24 | ImpasseRule::Count27 | ImpasseRule::AmateurWest
        )),
        indicator(matches!(impasse, ImpasseRule::Try | ImpasseRule::TryBoth)),
    ]
}

fn indicator(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}
