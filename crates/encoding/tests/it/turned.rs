//! The planes are seen from the side to move: they do not know who is Black, but where the rules
//! do.

use keiko_encoding::{EncodingId, Scalar, label, unpack};
use keiko_shogi::{Game, Move, MoveList};
use proptest::prelude::*;

use crate::support::{RULES, legal_moves, random_game, row};

/// Points that a declaration needs are 28 for Black and 27 for White: the planes that count what is
/// missing, of each side.
const POINTS: [std::ops::Range<usize>; 2] =
    [62 + 57 + 11..62 + 57 + 31, 62 + 88 + 11..62 + 88 + 31];

fn planes(id: EncodingId, game: &Game) -> Vec<f32> {
    let mut planes = vec![f32::NAN; id.planes() * 81];
    unpack(id, &row(id, game), &mut planes);
    planes
}

fn turned(game: &Game) -> Game {
    let mut turned = Game::new(game.start().flipped(), 1, RULES);
    for mv in game.moves() {
        turned.play(mv.rotated());
    }
    turned
}

/// Whether a plane is the same for both sides.
fn is_even(plane: usize) -> bool {
    let by_color =
        [Scalar::White, Scalar::SennichiteValue, Scalar::JishogiValue, Scalar::MaxPliesValue];
    let scalar = plane.checked_sub(181).map(|index| Scalar::ALL[index]);
    !POINTS.iter().any(|range| range.contains(&plane))
        && !scalar.is_some_and(|s| by_color.contains(&s))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn turned_games_have_the_same_planes(seed: u64, plies in 0_usize..300) {
        let game = random_game(seed, plies);
        let turned = turned(&game);
        let short = EncodingId::Dlshogi57;
        prop_assert_eq!(row(short, &game), row(short, &turned));
        let id = EncodingId::Keiko1;
        let (plain, other) = (planes(id, &game), planes(id, &turned));
        for plane in (0..id.planes()).filter(|&plane| is_even(plane)) {
            let squares = plane * 81..(plane + 1) * 81;
            prop_assert_eq!(&plain[squares.clone()], &other[squares], "plane {}", plane);
        }
        let side = game.position().side_to_move();
        let mut moves = MoveList::new();
        legal_moves(&game, &mut moves);
        let labels = |mv: &Move| (label(*mv, side), label(mv.rotated(), !side));
        prop_assert!(moves.iter().map(labels).all(|(plain, turned)| plain == turned));
    }
}
