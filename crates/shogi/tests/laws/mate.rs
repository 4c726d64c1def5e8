//! Mates in one are found exactly where playing all moves finds them.

use keiko_shogi::{Move, Position};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;

fn mates(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.do_move(mv);
    after.in_check() && !after.has_legal_move()
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn mate_in_one_is_complete_and_right(game in random_game(300)) {
        game.walk(|game, moves| {
            let position = game.position();
            match position.mate_in_one() {
                Some(mv) => {
                    assert!(moves.contains(&mv), "{mv} in {position:?}");
                    assert!(mates(position, mv), "{mv} in {position:?}");
                }
                None => assert!(!moves.iter().any(|&mv| mates(position, mv)), "{position:?}"),
            }
        });
    }
}
