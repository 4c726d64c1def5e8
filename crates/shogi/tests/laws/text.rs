//! What is written is read back as it was.

use keiko_shogi::{Move, Position, Setup, parse_position};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;
use crate::random_problem::random_problem;

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn problems_round_trip(problem in random_problem(), number in 1u32..) {
        let text = problem.to_sfen(number);
        prop_assert_eq!(Position::from_problem_sfen(&text), Ok((problem, number)));
    }

    #[test]
    fn pieces_make_the_position_they_come_from(problem in random_problem()) {
        let setup = Setup::from(&problem);
        prop_assert_eq!(setup.position(), Position::from_sfen(&problem.to_sfen(1)).map(|it| it.0));
        prop_assert_eq!(setup.problem(), Ok(problem));
    }

    #[test]
    fn games_round_trip_as_position_commands(game in random_game(200), number in 1u32..10_000) {
        let game = game.walk(|_, _| ());
        let moves: Vec<String> = game.moves().iter().map(Move::to_string).collect();
        let start = game.start().to_sfen(number);
        let text = format!("position sfen {start} moves {}", moves.join(" "));
        let expected = (game.start().clone(), number, game.moves().to_vec());
        prop_assert_eq!(parse_position(&text), Ok(expected));
    }

    #[test]
    fn no_text_panics(text in "[a-zA-Z0-9+*/ -]{0,60}") {
        let _ = text.parse::<Move>();
        let _ = parse_position(&text);
        if let Ok((position, number)) = Position::from_problem_sfen(&text) {
            let written = position.to_sfen(number);
            prop_assert_eq!(Position::from_problem_sfen(&written), Ok((position, number)));
        }
    }
}
