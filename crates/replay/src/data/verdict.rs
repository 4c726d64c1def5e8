//! Which result of a recorded game is learnt.

use keiko_formats::{Record, RecordReason};
use keiko_shogi::{Declaration, EndReason, Game, GameEnd, Outcome, Rules};

/// Why a game is not learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dropped {
    /// The clock decided it.
    TimeForfeit,
    /// A program failed.
    Crash,
    /// A foul decided it, or a declaration that was wrong.
    Illegal,
    /// It was broken off, or not played.
    Unfinished,
    /// Its end is not told, or is not one that the moves lead to.
    NoResult,
}

/// The first end that the moves reach by the rules; failing that, what the record tells, as far as it is an end by the
/// rules: a resignation, a right declaration, an agreed count, the event's limit of plies.
pub(super) fn verdict(record: &Record, rules: Rules) -> Result<GameEnd, Dropped> {
    if record.unplayable().is_some() || record.game().first_foul().is_some() {
        return Err(Dropped::Illegal);
    }
    let rules = Rules { declaration: Declaration::Manual, max_plies: None, ..rules };
    let start = record.game();
    let mut game = Game::new(start.start().clone(), start.start_move_number(), rules);
    for &mv in record.moves() {
        // A legal move follows, so there is one.
        if let Some(end) = game.end_with_moves() {
            return Ok(end);
        }
        game.play(mv);
    }
    match game.end() {
        Some(end) => Ok(end),
        None => told(record, &game),
    }
}

fn told(record: &Record, game: &Game) -> Result<GameEnd, Dropped> {
    let ending = record.ending.ok_or(Dropped::NoResult)?;
    let side = game.position().side_to_move();
    let loser = ending.outcome.and_then(Outcome::winner).map(|winner| !winner);
    let reason = match ending.reason {
        RecordReason::Known(reason) => reason,
        RecordReason::Foul => return Err(Dropped::Illegal),
        RecordReason::Error => return Err(Dropped::Crash),
        RecordReason::TakeBack | RecordReason::Walkover => return Err(Dropped::Unfinished),
        RecordReason::NoMate | RecordReason::Unknown => return Err(Dropped::NoResult),
    };
    match reason {
        EndReason::Resignation => Ok(game.resign(loser.unwrap_or(side))),
        EndReason::TimeForfeit => Err(Dropped::TimeForfeit),
        EndReason::IllegalMove(_) | EndReason::PerpetualCheck | EndReason::FailedDeclaration => {
            Err(Dropped::Illegal)
        }
        EndReason::NyugyokuDeclaration | EndReason::Try => {
            let end = game.declare(None);
            let is_right = end.reason != EndReason::FailedDeclaration && loser != Some(side);
            if is_right { Ok(end) } else { Err(Dropped::Illegal) }
        }
        EndReason::Jishogi => game.agree().ok_or(Dropped::NoResult),
        EndReason::MaxPlies => {
            let is_draw = ending.outcome.is_none_or(|outcome| outcome == Outcome::Draw);
            let end = GameEnd { outcome: Outcome::Draw, reason, ply: game.ply() };
            if is_draw { Ok(end) } else { Err(Dropped::NoResult) }
        }
        EndReason::Aborted => Err(Dropped::Unfinished),
        // These the moves would have led to.
        EndReason::Checkmate | EndReason::NoLegalMove | EndReason::Sennichite => {
            Err(Dropped::NoResult)
        }
    }
}
