//! Fouls in the middle of a game, and what is said at its end.

use keiko_formats::{Ending, RecordReason};
use keiko_shogi::{Color, EndReason, Game, GameEnd, Outcome};

use super::super::case::{Close, Played};
use super::{JudgeArgs, Verdict};

/// Plays the moves and gives the first end. After a foul the rest is played too if `to_the_end`, as
/// far as the pieces allow.
pub(super) fn replay(game: &mut Game, moves: &[Played], to_the_end: bool) -> Option<GameEnd> {
    let mut first: Option<GameEnd> = None;
    for played in moves {
        first = first.or_else(|| game.end());
        if first.is_some_and(|end| !to_the_end || !is_foul(&end)) {
            return first;
        }
        let played = match played {
            Played::Move(mv) => game.play_any(*mv).map(|_| ()),
            Played::Foul(kind) => Err(*kind),
        };
        if let Err(kind) = played {
            return first.or_else(|| Some(game.foul(kind)));
        }
    }
    first.or_else(|| game.end())
}

/// What is said at the end of a game.
pub(super) struct Said {
    reason: RecordReason,
    outcome: Option<Outcome>,
    /// The side to move.
    side: Color,
    /// Moves made by then, those included that could not be played.
    plies: u32,
}

impl Said {
    pub(super) fn of(close: Close, game: &Game, plies: usize) -> Said {
        let plies = plies as u32;
        let skipped = plies.saturating_sub(game.ply());
        let next = game.position().side_to_move();
        let side = if skipped.is_multiple_of(2) { next } else { !next };
        let Ending { reason, outcome } = match close {
            Close::Resign => Ending::resigned(side),
            Close::Declare => Ending::declared(side),
            Close::Told(ending) => ending,
        };
        Said { reason, outcome, side, plies }
    }

    /// The verdict where the moves led to `end`.
    pub(super) fn decide(
        &self,
        end: Option<GameEnd>,
        game: &Game,
        args: &JudgeArgs,
    ) -> Option<Verdict> {
        let loser = self.outcome.and_then(Outcome::winner).map(|winner| !winner);
        let resigned = matches!(self.reason, RecordReason::Known(EndReason::Resignation));
        if let Some(end) = end {
            // A foul that nobody objected to yields to the opponent's resignation.
            let yields = is_foul(&end) && resigned && loser.is_some();
            if !(yields && loser == end.outcome.winner()) {
                return Some(end.into());
            }
        }
        let told = |reason, loser: Color| {
            let outcome = Outcome::win_for(!loser);
            Some(Verdict::from(GameEnd { outcome, reason, ply: self.plies }))
        };
        let reason = match self.reason {
            RecordReason::Known(reason) => reason,
            RecordReason::Foul => {
                let outcome = self.outcome?.name();
                return Some(Verdict {
                    outcome,
                    reason: "illegal_move",
                    kind: None,
                    ply: self.plies,
                });
            }
            _ => return None,
        };
        match reason {
            EndReason::Resignation | EndReason::TimeForfeit => {
                told(reason, loser.unwrap_or(self.side))
            }
            EndReason::IllegalMove(_) | EndReason::PerpetualCheck => told(reason, loser?),
            EndReason::NyugyokuDeclaration | EndReason::FailedDeclaration | EndReason::Try => {
                let by_other = match reason {
                    EndReason::FailedDeclaration => loser == Some(!self.side),
                    _ => loser == Some(self.side),
                };
                (!by_other).then(|| game.declare(args.time_left_ms).into())
            }
            EndReason::Jishogi => game.agree().map(Verdict::from),
            EndReason::Aborted => Some(Verdict {
                outcome: "none",
                reason: reason.name(),
                kind: None,
                ply: self.plies,
            }),
            // These the moves would have led to.
            EndReason::Checkmate
            | EndReason::NoLegalMove
            | EndReason::Sennichite
            | EndReason::MaxPlies => None,
        }
    }
}

const fn is_foul(end: &GameEnd) -> bool {
    matches!(end.reason, EndReason::IllegalMove(_) | EndReason::PerpetualCheck)
}
