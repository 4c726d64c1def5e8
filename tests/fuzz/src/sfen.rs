//! SFEN text: what is accepted is written in one form, which reads back as the same.

use keiko_shogi::Position;

/// Reads `data` as SFEN.
///
/// # Panics
/// Where the round trip fails.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let strict = Position::from_sfen(text);
    let Ok((position, number)) = Position::from_problem_sfen(text) else {
        assert!(strict.is_err(), "a problem may be all that a position may");
        return;
    };
    let written = position.to_sfen(number);
    let read = Position::from_problem_sfen(&written).expect("own text is right");
    assert_eq!(read, (position.clone(), number));
    assert_eq!(position.key(), position.key_from_scratch());
    assert_eq!(position.checkers(), position.checkers_from_scratch());
    if let Ok(strict) = strict {
        assert_eq!(strict, read);
        assert!(!position.is_unsettled());
        assert_eq!(Position::from_sfen(&written), Ok(strict));
    }
    for other in [position.flipped(), position.mirrored()] {
        let (read, _) = Position::from_problem_sfen(&other.to_sfen(1)).expect("own text is right");
        assert_eq!(read, other);
    }
}
