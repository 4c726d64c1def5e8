//! The law of the left-right mirror.

use keiko_encoding::{EncodingId, LABELS, label, mirror_label, mirror_row, turned_label};
use keiko_shogi::{Game, MoveList};
use proptest::prelude::*;

use crate::support::{RULES, legal_moves, random_game, row};

/// The game with left and right exchanged from its start.
fn mirrored(game: &Game) -> Game {
    let mut mirrored = Game::new(game.start().mirrored(), 1, RULES);
    for mv in game.moves() {
        mirrored.play(mv.mirrored());
    }
    mirrored
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rows_of_mirrored_games_are_mirrored_rows(seed: u64, plies in 0_usize..240) {
        let game = random_game(seed, plies);
        let mirrored = mirrored(&game);
        for id in EncodingId::ALL {
            let original = row(id, &game);
            let mut turned = original.clone();
            mirror_row(id, &mut turned);
            prop_assert_eq!(&turned, &row(id, &mirrored));
            mirror_row(id, &mut turned);
            prop_assert_eq!(&turned, &original);
        }
        let side = game.position().side_to_move();
        let mut moves = MoveList::new();
        legal_moves(&game, &mut moves);
        for &mv in &moves {
            prop_assert_eq!(label(mv.mirrored(), side), mirror_label(label(mv, side)));
        }
    }
}

#[test]
fn mirrored_labels_are_a_permutation_of_order_two() {
    let mut seen = vec![false; LABELS];
    for label in 0..LABELS as u16 {
        let mirrored = mirror_label(label);
        assert_eq!(mirror_label(mirrored), label);
        assert!(!std::mem::replace(&mut seen[usize::from(mirrored)], true));
    }
}

#[test]
fn turned_labels_keep_the_class_and_turn_the_square() {
    for label in 0..LABELS as u16 {
        let turned = turned_label(label);
        assert_eq!(turned / 81, label / 81);
        assert_eq!(turned % 81 + label % 81, 80);
        assert_eq!(turned_label(turned), label);
        assert_eq!(mirror_label(turned), turned_label(mirror_label(label)));
    }
}
