//! A row is that of its game, whatever was played, taken back or written before.

use keiko_encoding::EncodingId;
use keiko_shogi::{Game, MoveList, Position};
use proptest::prelude::*;

use crate::support::{RULES, legal_moves, random_game, row};

fn rows(game: &Game) -> Vec<Vec<u8>> {
    EncodingId::ALL.into_iter().map(|id| row(id, game)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn rows_after_each_move_are_those_from_scratch(seed: u64, plies in 0_usize..200) {
        let game = random_game(seed, plies);
        let mut replayed = Game::new(game.start().clone(), 1, RULES);
        let mut seen = vec![rows(&replayed)];
        for &mv in game.moves() {
            replayed.play(mv);
            seen.push(rows(&replayed));
            let (position, number) = Position::from_sfen(&replayed.sfen()).unwrap();
            let fresh = Game::new(position, number, RULES);
            for id in [EncodingId::Dlshogi57, EncodingId::Dlshogi119] {
                prop_assert_eq!(row(id, &fresh), row(id, &replayed), "{}", replayed.sfen());
            }
        }
        while let Some(expected) = seen.pop() {
            prop_assert_eq!(rows(&replayed), expected);
            replayed.undo();
        }
    }

    #[test]
    fn rows_of_every_reply_and_back(seed: u64, plies in 0_usize..200) {
        let mut game = random_game(seed, plies);
        let before = rows(&game);
        let mut moves = MoveList::new();
        legal_moves(&game, &mut moves);
        for &mv in &moves {
            game.play(mv);
            let (position, _) = Position::from_sfen(&game.sfen()).unwrap();
            let fresh = Game::new(position, 1, RULES);
            let id = EncodingId::Dlshogi119;
            prop_assert_eq!(row(id, &fresh), row(id, &game), "{}", game.sfen());
            game.undo();
        }
        prop_assert_eq!(rows(&game), before);
    }
}
