//! Mates in one are found exactly where playing all moves finds them.

use keiko_shogi::{Move, MoveList, Position};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;
use crate::random_problem::random_problem;

fn mates(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.do_move(mv);
    after.in_check() && !after.has_legal_move()
}

fn check_mate_in_one(position: &Position, moves: &[Move]) {
    match position.mate_in_one() {
        Some(mv) => {
            assert!(moves.contains(&mv), "{mv} in {position:?}");
            assert!(mates(position, mv), "{mv} in {position:?}");
        }
        None => assert!(!moves.iter().any(|&mv| mates(position, mv)), "{position:?}"),
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn mate_in_one_is_complete_and_right(game in random_game(300)) {
        game.walk(|game, moves| check_mate_in_one(game.position(), moves));
    }
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn mate_in_one_of_problems_is_complete_and_right(problem in random_problem()) {
        let mut moves = MoveList::new();
        problem.legal_moves(&mut moves);
        check_mate_in_one(&problem, &moves);
    }
}
