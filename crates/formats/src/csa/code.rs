//! The codes of games' ends.

use keiko_shogi::{Color, EndReason, Game, GameEnd, Outcome};

use crate::record::{Ending, RecordReason};

/// The code of an ending where `side` is to move.
pub(super) fn code(ending: Ending) -> &'static str {
    let foul = ending.reason == RecordReason::Foul;
    if let Some(loser) = ending.loser().filter(|_| foul) {
        return match loser {
            Color::Black => "%+ILLEGAL_ACTION",
            Color::White => "%-ILLEGAL_ACTION",
        };
    }
    match ending.reason {
        RecordReason::Known(reason) => {
            ending.game_end().as_ref().map_or(reason.csa_code(), GameEnd::csa_code)
        }
        RecordReason::Foul => "%ILLEGAL_MOVE",
        RecordReason::NoMate => "%FUZUMI",
        RecordReason::TakeBack => "%MATTA",
        RecordReason::Error => "%ERROR",
        RecordReason::Walkover | RecordReason::Unknown => "%CHUDAN",
    }
}

/// What a code means at the end of `game`, where `side` is to move.
pub(super) fn ending(code: &str, game: &Game, side: Color) -> Option<Ending> {
    let none = |reason| Ending { reason, outcome: None };
    let draw = |reason| Ending::new(reason, Some(Outcome::Draw));
    Some(match code {
        "%TORYO" => Ending::loss(EndReason::Resignation, side),
        "%TIME_UP" => Ending::loss(EndReason::TimeForfeit, side),
        "%KACHI" => Ending::loss(EndReason::NyugyokuDeclaration, !side),
        "%TSUMI" => Ending::mate(game, side),
        "%ILLEGAL_MOVE" => Ending::foul(game, side),
        "%+ILLEGAL_ACTION" => Ending::foul(game, Color::Black),
        "%-ILLEGAL_ACTION" => Ending::foul(game, Color::White),
        "%SENNICHITE" => draw(EndReason::Sennichite),
        "%JISHOGI" => draw(EndReason::Jishogi),
        "%HIKIWAKE" => draw(EndReason::NyugyokuDeclaration),
        "%MAX_MOVES" => draw(EndReason::MaxPlies),
        "%CHUDAN" => Ending::new(EndReason::Aborted, None),
        "%FUZUMI" => none(RecordReason::NoMate),
        "%MATTA" => none(RecordReason::TakeBack),
        "%ERROR" => none(RecordReason::Error),
        _ => return None,
    })
}
