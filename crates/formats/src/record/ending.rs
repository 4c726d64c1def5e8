//! How records say that a game ended.

use std::fmt;
use std::str::FromStr;

use keiko_shogi::{Color, EndReason, Game, GameEnd, Outcome};
use thiserror::Error;

/// Begins a comment that says what a format's own word for the end does not.
pub(crate) const END_REASON: &str = "end_reason:";

/// Why a game ended, as far as a record tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordReason {
    /// One of the reasons of the rules.
    Known(EndReason),
    /// A foul of a kind that the record does not tell.
    Foul,
    /// Fuzumi (不詰): a problem has no mate.
    NoMate,
    /// Matta (待った): a move was taken back.
    TakeBack,
    /// A program failed.
    Error,
    /// Fusen (不戦勝, 不戦敗): a side did not play.
    Walkover,
    /// The record tells nothing, or at most who won.
    Unknown,
}

/// How a game ended, as far as a record tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// Why.
    pub reason: RecordReason,
    /// Who won; `None` if the record does not tell, or the game has no result.
    pub outcome: Option<Outcome>,
}

impl From<GameEnd> for Ending {
    fn from(end: GameEnd) -> Self {
        Self { reason: RecordReason::Known(end.reason), outcome: Some(end.outcome) }
    }
}

/// The names beside those of the reasons of the rules.
const OTHERS: [(RecordReason, &str); 6] = [
    (RecordReason::Foul, "illegal_move"),
    (RecordReason::NoMate, "no_mate"),
    (RecordReason::TakeBack, "take_back"),
    (RecordReason::Error, "error"),
    (RecordReason::Walkover, "walkover"),
    (RecordReason::Unknown, "unknown"),
];

impl RecordReason {
    /// All reasons.
    pub fn all() -> impl Iterator<Item = Self> {
        EndReason::all().map(Self::Known).chain(OTHERS.map(|(reason, _)| reason))
    }
}

impl fmt::Display for RecordReason {
    /// Writes the name: `resignation`, `illegal_move(nifu)`, `walkover`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(reason) => reason.fmt(f),
            other => f.pad(OTHERS.iter().find(|(reason, _)| reason == other).map_or("", |o| o.1)),
        }
    }
}

/// The text names no reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown end reason {0:?}")]
pub struct ParseRecordReasonError(String);

impl FromStr for RecordReason {
    type Err = ParseRecordReasonError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, ParseRecordReasonError> {
        if let Ok(reason) = text.parse() {
            return Ok(Self::Known(reason));
        }
        let other = OTHERS.iter().find(|(_, name)| *name == text);
        other.map(|o| o.0).ok_or_else(|| ParseRecordReasonError(text.to_owned()))
    }
}

impl Ending {
    /// Nothing is known but that there is an end.
    pub(crate) const UNKNOWN: Self = Self { reason: RecordReason::Unknown, outcome: None };

    /// A side resigned.
    #[must_use]
    pub fn resigned(loser: Color) -> Self {
        Self::loss(EndReason::Resignation, loser)
    }

    /// A side declared, or claims, a win by entering kings.
    #[must_use]
    pub fn declared(winner: Color) -> Self {
        Self::loss(EndReason::NyugyokuDeclaration, !winner)
    }

    pub(crate) fn new(reason: EndReason, outcome: Option<Outcome>) -> Self {
        Self { reason: RecordReason::Known(reason), outcome }
    }

    /// The loss of a side.
    pub(crate) fn loss(reason: EndReason, loser: Color) -> Self {
        Self::new(reason, Some(Outcome::win_for(!loser)))
    }

    /// The mate or lack of moves that a record speaks of where `side` is to move.
    pub(crate) fn mate(game: &Game, side: Color) -> Self {
        let position = game.position();
        let stuck = !position.in_check() && !position.has_legal_move();
        Self::loss(if stuck { EndReason::NoLegalMove } else { EndReason::Checkmate }, side)
    }

    /// The loss by a foul: the kind is that of the last move, if it was one.
    pub(crate) fn foul(game: &Game, loser: Color) -> Self {
        let outcome = Some(Outcome::win_for(!loser));
        let found = game.end().filter(|end| {
            let foul = matches!(end.reason, EndReason::IllegalMove(_) | EndReason::PerpetualCheck);
            foul && Some(end.outcome) == outcome
        });
        let reason = found.map_or(RecordReason::Foul, |end| RecordReason::Known(end.reason));
        Self { reason, outcome }
    }

    /// The side that lost.
    #[must_use]
    pub fn loser(self) -> Option<Color> {
        Some(!self.outcome?.winner()?)
    }

    /// This end as the rules have it, if they know the reason and there is an outcome.
    pub(crate) fn game_end(self) -> Option<GameEnd> {
        let RecordReason::Known(reason) = self.reason else { return None };
        Some(GameEnd { outcome: self.outcome?, reason, ply: 0 })
    }

    /// The rest of a comment that begins with [`END_REASON`].
    pub(crate) fn tag(self) -> String {
        match self.outcome {
            Some(outcome) => format!("{} {outcome}", self.reason),
            None => self.reason.to_string(),
        }
    }

    /// Reads what [`tag`](Self::tag) writes.
    pub(crate) fn of_tag(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let reason = words.next()?.parse().ok()?;
        let outcome = words.next().map(str::parse).transpose().ok()?;
        words.next().is_none().then_some(Self { reason, outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags_come_back() {
        for reason in RecordReason::all() {
            assert_eq!(reason.to_string().parse(), Ok(reason));
            for outcome in [None, Some(Outcome::Draw), Some(Outcome::WhiteWins)] {
                let ending = Ending { reason, outcome };
                assert_eq!(Ending::of_tag(&ending.tag()), Some(ending));
            }
        }
        for text in ["", "mate", "resignation black", "resignation draw draw"] {
            assert_eq!(Ending::of_tag(text), None, "{text}");
        }
    }
}
