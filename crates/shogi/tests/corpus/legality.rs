//! Legal and illegal moves.

use keiko_shogi::{IllegalKind, Move, MoveList, Position};

use crate::rows::rows;

/// The kind of foul behind each reason of the table, by a part of its text; what is not here is an
/// impossible move.
const KINDS: [(&str, IllegalKind); 34] = [
    ("nifu", IllegalKind::Nifu),
    ("uchifuzume", IllegalKind::Uchifuzume),
    ("a pinned piece still guards", IllegalKind::Uchifuzume),
    ("only a gold pinned along the rank", IllegalKind::Uchifuzume),
    ("dead-end", IllegalKind::DeadEnd),
    ("must promote", IllegalKind::DeadEnd),
    ("side not to move", IllegalKind::OutOfTurn),
    ("cannot be interposed", IllegalKind::KingInCheck),
    ("attacked by the gold", IllegalKind::KingInCheck),
    ("horse attacks", IllegalKind::KingInCheck),
    ("attacked by the horse", IllegalKind::KingInCheck),
    ("attacked by the knight", IllegalKind::KingInCheck),
    ("one of two checkers", IllegalKind::KingInCheck),
    ("does not answer the check", IllegalKind::KingInCheck),
    ("double check by", IllegalKind::KingInCheck),
    ("double check cannot", IllegalKind::KingInCheck),
    ("dragon attacks", IllegalKind::KingInCheck),
    ("ignores the check", IllegalKind::KingInCheck),
    ("not an interposition", IllegalKind::KingInCheck),
    ("kings may not stand", IllegalKind::KingInCheck),
    ("on the checking diagonal", IllegalKind::KingInCheck),
    ("on the checking file", IllegalKind::KingInCheck),
    ("pinned by a dragon", IllegalKind::KingInCheck),
    ("pinned by a horse", IllegalKind::KingInCheck),
    ("pinned gold leaves", IllegalKind::KingInCheck),
    ("pinned knight can never move", IllegalKind::KingInCheck),
    ("pinned silver leaves", IllegalKind::KingInCheck),
    ("still attacked", IllegalKind::KingInCheck),
    ("still on the file", IllegalKind::KingInCheck),
    ("the capturing gold is pinned", IllegalKind::KingInCheck),
    ("protected by the lance", IllegalKind::KingInCheck),
    ("x-ray of a lance", IllegalKind::KingInCheck),
    ("x-ray on the rank", IllegalKind::KingInCheck),
    ("pinned white rook leaves", IllegalKind::KingInCheck),
];

fn kind_of(reason: &str) -> IllegalKind {
    let found = KINDS.into_iter().find(|(part, _)| reason.contains(part));
    found.map_or(IllegalKind::ImpossibleMove, |(_, kind)| kind)
}

fn check_table(name: &str) {
    let mut kinds = Vec::new();
    for row in rows(name) {
        let [sfen, text, verdict, reason] = row.as_slice() else { panic!("{row:?}") };
        let (position, _) = Position::from_problem_sfen(sfen).unwrap();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let Ok(mv) = text.parse::<Move>() else {
            // A king dropped or a move that stays in place cannot even be written as a move.
            assert_eq!(verdict, "illegal", "{row:?}");
            continue;
        };
        let expected = match verdict.as_str() {
            "legal" => Ok(()),
            _ => Err(kind_of(reason)),
        };
        assert_eq!(position.classify(mv), expected, "{row:?}");
        assert_eq!(moves.contains(&mv), expected.is_ok(), "{row:?}");
        kinds.extend(expected.err());
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 6, "every kind but promoted drops and perpetual check: {kinds:?}");
}

#[test]
fn verdicts_and_kinds_agree() {
    check_table("legality.tsv");
}

#[test]
fn verdicts_and_kinds_agree_with_colours_swapped() {
    check_table("legality-flipped.tsv");
}
