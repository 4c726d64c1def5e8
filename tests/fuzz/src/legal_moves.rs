//! Any position that can be written: the listed moves are those that are accepted, and each can be
//! taken back.

use keiko_shogi::{Move, MoveList, Position};

/// Reads `data` as the SFEN of a problem.
///
/// # Panics
/// Where list, count, legality and mates do not agree.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok((position, _)) = Position::from_problem_sfen(text) else { return };
    let mut listed = MoveList::new();
    position.legal_moves(&mut listed);
    listed.sort();
    let accepted: Vec<Move> = Move::all().filter(|&mv| position.is_legal(mv)).collect();
    assert!(listed.iter().eq(&accepted), "{text}: listed {listed:?}, accepted {accepted:?}");
    assert_eq!(position.count_legal_moves() as usize, listed.len());
    assert_eq!(position.has_legal_move(), !listed.is_empty());
    let mut mates = Vec::new();
    let mut played = position.clone();
    for mv in accepted {
        let checks = position.gives_check(mv);
        let undo = played.do_move(mv);
        assert_eq!(played.key(), played.key_from_scratch(), "{mv} in {text}");
        assert_eq!(played.checkers(), played.checkers_from_scratch(), "{mv} in {text}");
        if !position.is_unsettled() {
            assert_eq!(played.in_check(), checks, "{mv} in {text}");
            assert!(!played.is_unsettled(), "{mv} in {text}");
        }
        if played.in_check() && !played.has_legal_move() {
            mates.push(mv);
        }
        played.undo_move(mv, undo);
        assert_eq!(played, position, "{mv}");
    }
    match position.mate_in_one() {
        Some(mv) => assert!(mates.contains(&mv), "{mv} in {text}, mates {mates:?}"),
        None => assert!(mates.is_empty(), "{mates:?} in {text}"),
    }
}
