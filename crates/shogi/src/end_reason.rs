//! Why a game ended.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::IllegalKind;

/// The one reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndReason {
    /// Tsumi (詰み): the side to move is in check without a legal move; it loses.
    Checkmate,
    /// The side to move has no legal move without being in check; it loses.
    NoLegalMove,
    /// Toryo (投了): a side resigned.
    Resignation,
    /// A side's time ran out.
    TimeForfeit,
    /// Hansoku (反則): a side played an illegal move and loses.
    IllegalMove(IllegalKind),
    /// Sennichite (千日手): the fourth occurrence of a position; a draw.
    Sennichite,
    /// The fourth occurrence of a position with nothing but checks of one side in between, which
    /// loses.
    PerpetualCheck,
    /// Nyugyoku sengen (入玉宣言): a right declaration; it wins, or draws under the 24-point rule.
    NyugyokuDeclaration,
    /// A declaration whose conditions did not hold; the declarer loses.
    FailedDeclaration,
    /// Jishogi (持将棋): a count of both sides, agreed or asked for.
    Jishogi,
    /// The king reached the far home square.
    Try,
    /// The maximum number of plies was played; a draw.
    MaxPlies,
    /// Chudan (中断): broken off, without a result of its own.
    Aborted,
}

impl EndReason {
    /// All reasons; those of illegal moves by kind.
    pub fn all() -> impl Iterator<Item = EndReason> {
        let plain = [
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
        ];
        plain.into_iter().chain(IllegalKind::ALL.map(EndReason::IllegalMove))
    }

    /// Its name, such as `checkmate`; `illegal_move` for every kind of illegal move.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Checkmate => "checkmate",
            EndReason::NoLegalMove => "no_legal_move",
            EndReason::Resignation => "resignation",
            EndReason::TimeForfeit => "time_forfeit",
            EndReason::IllegalMove(_) => "illegal_move",
            EndReason::Sennichite => "sennichite",
            EndReason::PerpetualCheck => "perpetual_check",
            EndReason::NyugyokuDeclaration => "nyugyoku_declaration",
            EndReason::FailedDeclaration => "failed_declaration",
            EndReason::Jishogi => "jishogi",
            EndReason::Try => "try",
            EndReason::MaxPlies => "max_plies",
            EndReason::Aborted => "aborted",
        }
    }

    /// The kind of an illegal move.
    pub const fn illegal_kind(self) -> Option<IllegalKind> {
        match self {
            EndReason::IllegalMove(kind) => Some(kind),
            _ => None,
        }
    }

    /// Its code in CSA records, if the side to move is the one that CSA means by it. For fouls see
    /// [`GameEnd::csa_code`](crate::GameEnd::csa_code), which names the side.
    pub const fn csa_code(self) -> &'static str {
        match self {
            EndReason::Checkmate | EndReason::NoLegalMove => "%TSUMI",
            EndReason::Resignation => "%TORYO",
            EndReason::TimeForfeit => "%TIME_UP",
            EndReason::IllegalMove(_)
            | EndReason::PerpetualCheck
            | EndReason::FailedDeclaration => "%ILLEGAL_MOVE",
            EndReason::Sennichite => "%SENNICHITE",
            EndReason::NyugyokuDeclaration | EndReason::Try => "%KACHI",
            EndReason::Jishogi => "%JISHOGI",
            EndReason::MaxPlies => "%MAX_MOVES",
            EndReason::Aborted => "%CHUDAN",
        }
    }

    /// Its word in KIF records, for fouls of the side to move. For other fouls see
    /// [`GameEnd::kif_code`](crate::GameEnd::kif_code).
    pub const fn kif_code(self) -> &'static str {
        match self {
            EndReason::Checkmate | EndReason::NoLegalMove => "詰み",
            EndReason::Resignation => "投了",
            EndReason::TimeForfeit => "切れ負け",
            EndReason::IllegalMove(_)
            | EndReason::PerpetualCheck
            | EndReason::FailedDeclaration => "反則負け",
            EndReason::Sennichite => "千日手",
            EndReason::NyugyokuDeclaration | EndReason::Try => "入玉勝ち",
            EndReason::Jishogi | EndReason::MaxPlies => "持将棋",
            EndReason::Aborted => "中断",
        }
    }
}

impl fmt::Display for EndReason {
    /// Writes the name, and the kind of an illegal move in brackets: `illegal_move(nifu)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndReason::IllegalMove(kind) => write!(f, "illegal_move({kind})"),
            reason => f.pad(reason.name()),
        }
    }
}

/// The text names no end reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown end reason {0:?}")]
pub struct ParseEndReasonError(String);

impl FromStr for EndReason {
    type Err = ParseEndReasonError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<EndReason, ParseEndReasonError> {
        EndReason::all()
            .find(|reason| reason.to_string() == text)
            .ok_or_else(|| ParseEndReasonError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for reason in EndReason::all() {
            assert_eq!(reason.to_string().parse(), Ok(reason));
        }
        assert!("illegal_move".parse::<EndReason>().is_err());
    }
}
