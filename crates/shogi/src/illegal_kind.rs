//! Kinds of fouls.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IllegalKind {
    /// Nifu (二歩): a second unpromoted pawn dropped on a file.
    Nifu,
    /// Uchifuzume (打ち歩詰め): mate by a dropped pawn.
    Uchifuzume,
    /// A piece played to where it could never move again.
    DeadEnd,
    /// A piece dropped with its promoted face up.
    PromotedDrop,
    /// A move of the side whose turn it is not.
    OutOfTurn,
    /// The own king is left, or put, in check.
    KingInCheck,
    /// The piece does not move like that, or is not there.
    ImpossibleMove,
    /// The fourth occurrence of a position with nothing but checks of one side in between.
    PerpetualCheck,
}

impl IllegalKind {
    /// All kinds.
    pub const ALL: [IllegalKind; 8] = [
        IllegalKind::Nifu,
        IllegalKind::Uchifuzume,
        IllegalKind::DeadEnd,
        IllegalKind::PromotedDrop,
        IllegalKind::OutOfTurn,
        IllegalKind::KingInCheck,
        IllegalKind::ImpossibleMove,
        IllegalKind::PerpetualCheck,
    ];

    /// Its name, such as `dead_end`.
    pub const fn name(self) -> &'static str {
        match self {
            IllegalKind::Nifu => "nifu",
            IllegalKind::Uchifuzume => "uchifuzume",
            IllegalKind::DeadEnd => "dead_end",
            IllegalKind::PromotedDrop => "promoted_drop",
            IllegalKind::OutOfTurn => "out_of_turn",
            IllegalKind::KingInCheck => "king_in_check",
            IllegalKind::ImpossibleMove => "impossible_move",
            IllegalKind::PerpetualCheck => "perpetual_check",
        }
    }
}

impl fmt::Display for IllegalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no kind of foul.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown kind of illegal move {0:?}")]
pub struct ParseIllegalKindError(String);

impl FromStr for IllegalKind {
    type Err = ParseIllegalKindError;

    fn from_str(text: &str) -> Result<IllegalKind, ParseIllegalKindError> {
        IllegalKind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| ParseIllegalKindError(text.to_owned()))
    }
}
