//! The numbers that stand for names in a record. A number never changes its meaning.

use keiko_shogi::{Declaration, EndReason, IllegalKind, Outcome};

use super::ply::SearchKind;

const OUTCOMES: [Outcome; 3] = [Outcome::BlackWins, Outcome::WhiteWins, Outcome::Draw];
const SEARCHES: [SearchKind; 3] = [SearchKind::None, SearchKind::Fast, SearchKind::Full];
const DECLARATIONS: [Declaration; 2] = [Declaration::Manual, Declaration::Automatic];

const ENDS: [EndReason; 20] = [
    EndReason::Checkmate,
    EndReason::NoLegalMove,
    EndReason::Resignation,
    EndReason::TimeForfeit,
    EndReason::Sennichite,
    EndReason::PerpetualCheck,
    EndReason::NyugyokuDeclaration,
    EndReason::FailedDeclaration,
    EndReason::Jishogi,
    EndReason::Try,
    EndReason::MaxPlies,
    EndReason::Aborted,
    EndReason::IllegalMove(IllegalKind::Nifu),
    EndReason::IllegalMove(IllegalKind::Uchifuzume),
    EndReason::IllegalMove(IllegalKind::DeadEnd),
    EndReason::IllegalMove(IllegalKind::PromotedDrop),
    EndReason::IllegalMove(IllegalKind::OutOfTurn),
    EndReason::IllegalMove(IllegalKind::KingInCheck),
    EndReason::IllegalMove(IllegalKind::ImpossibleMove),
    EndReason::IllegalMove(IllegalKind::PerpetualCheck),
];

pub(super) fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::BlackWins => 0,
        Outcome::WhiteWins => 1,
        Outcome::Draw => 2,
    }
}

pub(super) fn outcome_of(code: u8) -> Option<Outcome> {
    OUTCOMES.get(usize::from(code)).copied()
}

pub(super) fn search_code(kind: SearchKind) -> u8 {
    match kind {
        SearchKind::None => 0,
        SearchKind::Fast => 1,
        SearchKind::Full => 2,
    }
}

pub(super) fn search_of(code: u8) -> Option<SearchKind> {
    SEARCHES.get(usize::from(code)).copied()
}

pub(super) fn declaration_code(declaration: Declaration) -> u8 {
    match declaration {
        Declaration::Manual => 0,
        Declaration::Automatic => 1,
    }
}

pub(super) fn declaration_of(code: u8) -> Option<Declaration> {
    DECLARATIONS.get(usize::from(code)).copied()
}

pub(super) fn end_code(end: EndReason) -> u8 {
    match end {
        EndReason::Checkmate => 0,
        EndReason::NoLegalMove => 1,
        EndReason::Resignation => 2,
        EndReason::TimeForfeit => 3,
        EndReason::Sennichite => 4,
        EndReason::PerpetualCheck => 5,
        EndReason::NyugyokuDeclaration => 6,
        EndReason::FailedDeclaration => 7,
        EndReason::Jishogi => 8,
        EndReason::Try => 9,
        EndReason::MaxPlies => 10,
        EndReason::Aborted => 11,
        EndReason::IllegalMove(kind) => {
            12 + match kind {
                IllegalKind::Nifu => 0,
                IllegalKind::Uchifuzume => 1,
                IllegalKind::DeadEnd => 2,
                IllegalKind::PromotedDrop => 3,
                IllegalKind::OutOfTurn => 4,
                IllegalKind::KingInCheck => 5,
                IllegalKind::ImpossibleMove => 6,
                IllegalKind::PerpetualCheck => 7,
            }
        }
    }
}

pub(super) fn end_of(code: u8) -> Option<EndReason> {
    ENDS.get(usize::from(code)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_meanings_are_inverse() {
        for code in 0..=u8::MAX {
            assert!(outcome_of(code).is_none_or(|it| outcome_code(it) == code));
            assert!(search_of(code).is_none_or(|it| search_code(it) == code));
            assert!(declaration_of(code).is_none_or(|it| declaration_code(it) == code));
            assert!(end_of(code).is_none_or(|it| end_code(it) == code));
        }
        assert_eq!(end_of(19), Some(EndReason::IllegalMove(IllegalKind::PerpetualCheck)));
        assert_eq!(end_of(20), None);
    }
}
