//! Mates in one.

use keiko_shogi::{MoveList, Position};

use crate::rows::rows;

/// Every move that mates at once, found by playing all legal moves.
fn mating_moves(position: &Position) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut position = position.clone();
    let mut found = Vec::new();
    for mv in moves {
        let undo = position.do_move(mv);
        if position.in_check() && !position.has_legal_move() {
            found.push(mv.to_string());
        }
        position.undo_move(mv, undo);
    }
    found.sort();
    found
}

#[test]
fn mates_in_one_are_found_and_only_they() {
    let mut mates = 0;
    for row in rows("mates.tsv") {
        let (position, _) = Position::from_problem_sfen(&row[0]).unwrap();
        let found = position.mate_in_one().map(|mv| mv.to_string());
        if row[1] == "1" {
            mates += 1;
            let mut expected: Vec<&str> = row[2].split(' ').collect();
            expected.sort_unstable();
            assert_eq!(mating_moves(&position), expected, "{row:?}");
            assert!(found.is_some_and(|mv| expected.contains(&&*mv)), "{row:?}");
        } else {
            assert_eq!(found, None, "{row:?}");
            assert!(mating_moves(&position).is_empty(), "{row:?}");
        }
    }
    assert!(mates > 0);
}
