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
    Scalar::ALL.map(|scalar| value(scalar, view, game, context))
}

fn value(scalar: Scalar, view: &View, game: &Game, context: &Context) -> f32 {
    let rules = game.rules();
    let own = |value: f32| match view.side_to_move {
        Color::Black => value,
        Color::White => 1.0 - value,
    };
    let points = |side: usize, squares: u128| view.points(side, squares) as f32 / POINTS;
    let draws = context.draw_values;
    let indicator = |holds: bool| if holds { 1.0 } else { 0.0 };
    match scalar {
        Scalar::Repetition => (game.repetition().occurrences.clamp(1, 4) - 1) as f32 / 3.0,
        Scalar::Progress => match rules.max_plies {
            Some(maximum @ 1..) => (game.ply() as f32 / f32::from(maximum)).min(1.0),
            Some(0) | None => 0.0,
        },
        Scalar::White => indicator(view.side_to_move == Color::White),
        Scalar::OwnDeclarationPoints => points(0, CAMPS[0]),
        Scalar::OpponentDeclarationPoints => points(1, CAMPS[1]),
        Scalar::OwnTotalPoints => points(0, BOARD),
        Scalar::OpponentTotalPoints => points(1, BOARD),
        Scalar::SennichiteValue => own(draws.sennichite),
        Scalar::JishogiValue => own(draws.jishogi),
        Scalar::MaxPliesValue => own(draws.max_plies),
        Scalar::Declaration27 => {
            indicator(matches!(rules.impasse, ImpasseRule::Csa27 | ImpasseRule::Csa27h))
        }
        Scalar::Declaration24 => {
            indicator(matches!(rules.impasse, ImpasseRule::Csa24 | ImpasseRule::Csa24h))
        }
        Scalar::Count => indicator(matches!(
            rules.impasse,
            ImpasseRule::Jishogi24 | ImpasseRule::Count27 | ImpasseRule::AmateurWest
        )),
        Scalar::Try => indicator(matches!(rules.impasse, ImpasseRule::Try | ImpasseRule::TryBoth)),
    }
}
