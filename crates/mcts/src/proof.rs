use crate::Wdl;

/// A result that is certain under the rules in force, for the side to move at the node in question.
///
/// On a root move it is the result of playing that move, for the side that
/// plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to move wins against any defence.
    Win,
    /// Best play of both sides ends in a draw.
    Draw,
    /// The side to move loses whatever it plays.
    Loss,
}

impl Proof {
    /// The same result for the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// The certain chances that this result means.
    #[must_use]
    pub fn wdl(self) -> Wdl {
        match self {
            Self::Win => Wdl::WIN,
            Self::Draw => Wdl::DRAW,
            Self::Loss => Wdl::LOSS,
        }
    }
}
