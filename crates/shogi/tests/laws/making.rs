//! What is kept while moves are made equals what is computed from the placement.

use keiko_shogi::{Bitboard, Color, MoveList, Position, Square, attacks, perft, perft_full};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;
use crate::random_problem::random_problem;

/// Pins by taking each piece away and looking whether an enemy then attacks the king.
fn pinned_by_lifting(position: &Position, color: Color) -> Bitboard {
    let Some(king) = position.king(color) else { return Bitboard::EMPTY };
    let attackers = |occupied: Bitboard| -> Bitboard {
        position
            .pieces(!color)
            .iter()
            .filter(|&from| {
                let kind = position.piece_at(from).unwrap().kind;
                attacks(kind, !color, from, occupied).contains(king)
            })
            .collect()
    };
    let now = attackers(position.occupied());
    let opens = |square: &Square| {
        attackers(position.occupied() ^ Bitboard::of(*square)) != now && *square != king
    };
    position.pieces(color).iter().filter(opens).collect()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn incremental_equals_from_scratch(game in random_game(200)) {
        game.walk(|game, moves| {
            let position = game.position().clone();
            assert_eq!(position.key(), position.key_from_scratch());
            assert_eq!(position.checkers(), position.checkers_from_scratch());
            let (read, _) = Position::from_sfen(&position.to_sfen(1)).unwrap();
            assert_eq!(read, position);
            for color in Color::ALL {
                assert_eq!(position.pinned(color), pinned_by_lifting(&position, color));
            }
            let mut played = position.clone();
            for &mv in moves {
                let gives_check = position.gives_check(mv);
                let undo = played.do_move(mv);
                assert_eq!(played.in_check(), gives_check, "{mv} in {position:?}");
                assert!(!played.is_unsettled());
                played.undo_move(mv, undo);
                assert_eq!(played, position, "{mv}");
            }
        });
    }

    #[test]
    fn sfen_round_trips(game in random_game(300), number in 1u32..10_000) {
        let position = game.last();
        let text = position.to_sfen(number);
        prop_assert_eq!(Position::from_sfen(&text), Ok((position, number)));
    }

    #[test]
    fn problems_are_made_and_taken_back(problem in random_problem()) {
        let mut moves = MoveList::new();
        problem.legal_moves(&mut moves);
        let mut played = problem.clone();
        for mv in moves {
            let undo = played.do_move(mv);
            prop_assert_eq!(played.key(), played.key_from_scratch(), "{} in {:?}", mv, problem);
            let (read, _) = Position::from_problem_sfen(&played.to_sfen(1)).unwrap();
            prop_assert_eq!(&played, &read, "{} in {:?}", mv, problem);
            played.undo_move(mv, undo);
            prop_assert_eq!(&played, &problem, "{}", mv);
        }
    }

    #[test]
    fn counting_and_playing_the_last_ply_agree(game in random_game(250)) {
        let mut position = game.last();
        let before = position.clone();
        prop_assert_eq!(perft(&mut position, 2), perft_full(&mut position, 2));
        prop_assert_eq!(position, before);
    }
}
