//! How a game ends does not depend on left and right, nor on the side where the rules treat both
//! alike.

use keiko_shogi::{Declaration, Game, GameEnd, ImpasseRule, Move, Outcome, Position, Rules};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;

/// All that the rules say about the current position.
fn verdicts(game: &Game) -> Vec<Option<GameEnd>> {
    let declared = game.can_declare().map(|outcome| GameEnd { outcome, ..game.declare(None) });
    vec![game.end(), declared, game.agree(), game.repetition().verdict]
}

/// The game with each position and move changed, under `rules`.
fn replayed(
    game: &Game,
    rules: Rules,
    start: impl Fn(&Position) -> Position,
    map: impl Fn(Move) -> Move,
) -> Game {
    let mut other = Game::new(start(game.start()), 1, rules);
    for &mv in game.moves() {
        other.play(map(mv));
    }
    other
}

fn flipped(end: GameEnd) -> GameEnd {
    let outcome = match end.outcome {
        Outcome::BlackWins => Outcome::WhiteWins,
        Outcome::WhiteWins => Outcome::BlackWins,
        Outcome::Draw => Outcome::Draw,
    };
    GameEnd { outcome, ..end }
}

/// Whether a rule asks the same of Black and White.
fn is_even(rule: ImpasseRule) -> bool {
    !matches!(rule, ImpasseRule::Csa27 | ImpasseRule::Csa27h | ImpasseRule::Count27)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn mirrored_and_turned_games_end_alike(game in random_game(250)) {
        let game = game.walk(|_, _| ());
        for impasse in ImpasseRule::ALL {
            for declaration in [Declaration::Manual, Declaration::Automatic] {
                let rules = Rules { impasse, declaration, max_plies: Some(240), handicap: None };
                let plain = verdicts(&replayed(&game, rules, Position::clone, |mv| mv));
                let mirrored = replayed(&game, rules, Position::mirrored, Move::mirrored);
                prop_assert_eq!(&plain, &verdicts(&mirrored), "{} {}", impasse, game.sfen());
                if is_even(impasse) {
                    let turned = replayed(&game, rules, Position::flipped, Move::rotated);
                    let expected: Vec<_> = plain.iter().map(|end| end.map(flipped)).collect();
                    prop_assert_eq!(expected, verdicts(&turned), "{} {}", impasse, game.sfen());
                }
            }
        }
    }
}
