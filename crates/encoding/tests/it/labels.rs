//! Labels and legal moves name each other.

use keiko_encoding::{LABELS, label, move_of_label};
use keiko_shogi::{Color, Move, MoveList};
use proptest::prelude::*;

use crate::support::{game_of, legal_moves, random_game};

#[test]
fn examples_are_as_published() {
    for (usi, color, expected) in [
        ("7g7f", Color::Black, 59),
        ("3c3d", Color::White, 59),
        ("2h1h", Color::Black, 331),
        ("3i4h", Color::Black, 115),
        ("8i7g", Color::Black, 789),
        ("8h2b+", Color::Black, 982),
        ("P*4f", Color::Black, 1652),
        ("G*1c", Color::White, 2184),
    ] {
        let mv: Move = usi.parse().unwrap();
        assert_eq!(label(mv, color), expected, "{usi}");
    }
}

/// Every label either names a legal move that has it, or none, and no legal move is left over.
fn check_bijection(game: &keiko_shogi::Game) {
    let position = game.position();
    let mut moves = MoveList::new();
    legal_moves(game, &mut moves);
    let mut by_label = vec![None; LABELS];
    for &mv in &moves {
        let label = label(mv, position.side_to_move());
        let other = by_label[usize::from(label)].replace(mv);
        assert_eq!(other, None, "{mv} has the same label in {}", position.to_sfen(1));
    }
    for (label, expected) in by_label.into_iter().enumerate() {
        assert_eq!(move_of_label(label as u16, position), expected, "label {label}");
    }
    assert_eq!(move_of_label(LABELS as u16, position), None);
    assert_eq!(move_of_label(u16::MAX, position), None);
}

#[test]
fn labels_name_all_593_moves() {
    check_bijection(&game_of("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"));
    check_bijection(&game_of("1l1l1l3/9/9/9/9/9/4b4/Kss1s1k2/8r w 3G3N17Prbgsnlp 1"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn labels_and_legal_moves_are_a_bijection(seed: u64, plies in 0_usize..240) {
        check_bijection(&random_game(seed, plies));
    }
}
