//! Legal moves do not depend on the side or on left and right.

use keiko_shogi::{Move, MoveList, Position};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;

fn sorted_moves(position: &Position, map: impl Fn(Move) -> Move) -> Vec<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut moves: Vec<Move> = moves.into_iter().map(map).collect();
    moves.sort();
    moves
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn swapping_colours_turns_the_moves(game in random_game(250)) {
        let position = game.last();
        let flipped = position.flipped();
        prop_assert_eq!(sorted_moves(&position, Move::rotated), sorted_moves(&flipped, |mv| mv));
        prop_assert_eq!(flipped.flipped(), position);
    }

    #[test]
    fn a_mirror_mirrors_the_moves(game in random_game(250)) {
        let position = game.last();
        let mirrored = position.mirrored();
        prop_assert_eq!(sorted_moves(&position, Move::mirrored), sorted_moves(&mirrored, |mv| mv));
        prop_assert_eq!(mirrored.mirrored(), position);
    }
}
