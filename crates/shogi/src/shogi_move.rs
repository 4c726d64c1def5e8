//! A move.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{IllegalKind, PieceKind, Square};

/// A move in 16 bits, as in the records of Apery and dlshogi.
///
/// Bits 0-6 are the target; bits 7-13 the origin, or 81 + the number of the dropped kind (pawn,
/// lance, knight, silver, bishop, rook, gold); bit 14 is promotion. A value is always structurally
/// valid: origin and target differ, and drops never promote.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

const PROMOTION: u16 = 1 << 14;
const DROP_ORIGIN: u16 = 81;

impl Move {
    /// A move on the board without promotion.
    ///
    /// # Panics
    /// In debug builds, if both squares are the same.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        debug_assert!(from.index() != to.index(), "a move changes the square");
        Move((from.index() as u16) << 7 | to.index() as u16)
    }

    /// A move on the board with promotion.
    ///
    /// # Panics
    /// In debug builds, if both squares are the same.
    #[inline]
    pub const fn promotion(from: Square, to: Square) -> Move {
        Move(Move::normal(from, to).0 | PROMOTION)
    }

    /// A drop of a piece in hand.
    ///
    /// # Panics
    /// In debug builds, if `kind` is not one of [`PieceKind::HAND`].
    #[inline]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        debug_assert!(kind.index() < 7, "only unpromoted pieces but the king are dropped");
        Move((DROP_ORIGIN + kind.index() as u16) << 7 | to.index() as u16)
    }

    /// The target square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::at((self.0 & 127) as u8)
    }

    /// The origin of a move on the board; `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        Square::from_index((self.0 >> 7 & 127) as u8)
    }

    /// The dropped kind; `None` for a move on the board.
    #[inline]
    pub const fn dropped(self) -> Option<PieceKind> {
        match (self.0 >> 7 & 127).checked_sub(DROP_ORIGIN) {
            Some(i) => Some(PieceKind::HAND[i as usize]),
            None => None,
        }
    }

    /// Whether the piece promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0 & PROMOTION != 0
    }

    /// The 16 bits.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move with these bits, if they are structurally valid.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let to = bits & 127;
        let from = bits >> 7 & 127;
        let promotion = bits & PROMOTION != 0;
        let valid = bits >> 15 == 0
            && to < 81
            && from != to
            && from < DROP_ORIGIN + 7
            && !(promotion && from >= DROP_ORIGIN);
        if valid { Some(Move(bits)) } else { None }
    }

    /// Every structurally valid move, in the order of its bits.
    pub fn all() -> impl Iterator<Item = Move> {
        (0..=u16::MAX).filter_map(Move::from_bits)
    }

    /// The move with left and right swapped.
    #[inline]
    pub const fn mirrored(self) -> Move {
        let to = self.to().mirrored().index() as u16;
        match self.from() {
            Some(from) => Move(self.0 & PROMOTION | (from.mirrored().index() as u16) << 7 | to),
            None => Move(self.0 & !127 | to),
        }
    }

    /// The move after half a turn of the board.
    #[inline]
    pub const fn rotated(self) -> Move {
        let to = self.to().rotated().index() as u16;
        match self.from() {
            Some(from) => Move(self.0 & PROMOTION | (from.rotated().index() as u16) << 7 | to),
            None => Move(self.0 & !127 | to),
        }
    }
}

impl fmt::Display for Move {
    /// Writes USI text: `7g7f`, `8h2b+`, `P*5e`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.dropped()) {
            (Some(from), _) => {
                write!(f, "{from}{}{}", self.to(), if self.is_promotion() { "+" } else { "" })
            }
            (None, Some(kind)) => write!(f, "{}*{}", kind.letter(), self.to()),
            (None, None) => Err(fmt::Error),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a move in USI notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseMoveError {
    /// It has none of the forms of a move.
    #[error("not a move: {0:?} (expected `7g7f`, `8h2b+` or `P*5e`)")]
    Malformed(String),
    /// It drops a promoted piece, as `P*5e+` or `+P*5e`.
    #[error("{0:?} drops a promoted piece")]
    PromotedDrop(String),
    /// It drops a king.
    #[error("{0:?} drops a king")]
    KingDrop(String),
    /// Its origin is its target.
    #[error("{0:?} does not move")]
    SameSquare(String),
}

impl ParseMoveError {
    /// The foul, if the text is plainly a move, but one that no position allows.
    pub const fn illegal_kind(&self) -> Option<IllegalKind> {
        match self {
            ParseMoveError::Malformed(_) => None,
            ParseMoveError::PromotedDrop(_) => Some(IllegalKind::PromotedDrop),
            ParseMoveError::KingDrop(_) | ParseMoveError::SameSquare(_) => {
                Some(IllegalKind::ImpossibleMove)
            }
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let malformed = || ParseMoveError::Malformed(text.to_owned());
        let square = |at: std::ops::Range<usize>| -> Result<Square, ParseMoveError> {
            text.get(at).ok_or_else(malformed)?.parse().map_err(|_| malformed())
        };
        let drop = |letter: u8| {
            PieceKind::from_letter(char::from(letter))
                .filter(|kind| kind.index() < 7)
                .ok_or_else(malformed)
        };
        match *text.as_bytes() {
            [b'K', b'*', _, _] => {
                square(2..4)?;
                Err(ParseMoveError::KingDrop(text.to_owned()))
            }
            [letter, b'*', _, _] => Ok(Move::drop(drop(letter)?, square(2..4)?)),
            [letter, b'*', _, _, b'+'] => {
                drop(letter)?;
                square(2..4)?;
                Err(ParseMoveError::PromotedDrop(text.to_owned()))
            }
            [b'+', letter, b'*', _, _] => {
                drop(letter)?;
                square(3..5)?;
                Err(ParseMoveError::PromotedDrop(text.to_owned()))
            }
            [_, _, _, _] | [_, _, _, _, b'+'] => {
                let (from, to) = (square(0..2)?, square(2..4)?);
                if from == to {
                    return Err(ParseMoveError::SameSquare(text.to_owned()));
                }
                let promotes = text.len() == 5;
                Ok(if promotes { Move::promotion(from, to) } else { Move::normal(from, to) })
            }
            _ => Err(malformed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bits_round_trip() {
        let mut count = 0;
        for mv in Move::all() {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
            assert_eq!(mv.mirrored().mirrored(), mv);
            assert_eq!(mv.rotated().rotated(), mv);
            count += 1;
        }
        assert_eq!(count, 81 * 80 * 2 + 7 * 81);
    }

    #[test]
    fn the_bits_are_those_of_apery() {
        let bits = |text: &str| text.parse::<Move>().map(Move::to_bits);
        assert_eq!(bits("7g7f"), Ok(60 << 7 | 59));
        assert_eq!(bits("8h2b+"), Ok(1 << 14 | 70 << 7 | 10));
        assert_eq!(bits("P*5e"), Ok(81 << 7 | 40));
        assert_eq!(bits("G*1a"), Ok(87 << 7));
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "7g", "7g7", "7g7f ", "7g7f++", "0a1b", "1j1i", "p*5e", "K*5", "7g7ｆ"] {
            assert!(matches!(text.parse::<Move>(), Err(ParseMoveError::Malformed(_))), "{text}");
        }
        for text in ["P*5e+", "+P*5e"] {
            assert!(matches!(text.parse::<Move>(), Err(ParseMoveError::PromotedDrop(_))));
        }
        assert!(matches!("K*5e".parse::<Move>(), Err(ParseMoveError::KingDrop(_))));
        assert!(matches!("7g7g".parse::<Move>(), Err(ParseMoveError::SameSquare(_))));
    }

    #[test]
    fn some_text_is_plainly_a_foul() {
        for (text, kind) in [
            ("P*5e+", Some(IllegalKind::PromotedDrop)),
            ("K*5e", Some(IllegalKind::ImpossibleMove)),
            ("7g7g", Some(IllegalKind::ImpossibleMove)),
            ("7g7", None),
        ] {
            assert_eq!(text.parse::<Move>().unwrap_err().illegal_kind(), kind, "{text}");
        }
    }
}
