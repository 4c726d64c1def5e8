//! Handicap starts.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Color, Position};

/// A handicap (komaochi, 駒落ち): White, the giver (uwate), starts without some pieces and moves
/// first. Left and right are those of White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Handicap {
    /// Kyoochi (香落ち): the left lance.
    Lance,
    /// Migikyoochi (右香落ち): the right lance.
    RightLance,
    /// Kakuochi (角落ち): the bishop.
    Bishop,
    /// Hishaochi (飛車落ち): the rook.
    Rook,
    /// Hikyoochi (飛香落ち): rook and left lance.
    RookLance,
    /// Nimaiochi (二枚落ち): rook and bishop.
    TwoPiece,
    /// Sanmaiochi (三枚落ち): rook, bishop, left lance.
    ThreePiece,
    /// Yonmaiochi (四枚落ち): rook, bishop, both lances.
    FourPiece,
    /// Gomaiochi (五枚落ち): as four pieces, and the right knight.
    FivePiece,
    /// Hidarigomaiochi (左五枚落ち): as four pieces, and the left knight.
    LeftFivePiece,
    /// Rokumaiochi (六枚落ち): as four pieces, and both knights.
    SixPiece,
    /// Hidarinanamaiochi (左七枚落ち): as six pieces, and the left silver.
    LeftSevenPiece,
    /// Miginanamaiochi (右七枚落ち): as six pieces, and the right silver.
    RightSevenPiece,
    /// Hachimaiochi (八枚落ち): as six pieces, and both silvers.
    EightPiece,
    /// Jumaiochi (十枚落ち): as eight pieces, and both golds.
    TenPiece,
    /// Fusanbyo (歩三兵): the king alone, with three pawns in hand.
    ThreePawns,
    /// Hadakagyoku (裸玉): the king alone.
    NakedKing,
}

impl Handicap {
    /// All handicaps, from the smallest to the largest.
    pub const ALL: [Handicap; 17] = [
        Handicap::Lance,
        Handicap::RightLance,
        Handicap::Bishop,
        Handicap::Rook,
        Handicap::RookLance,
        Handicap::TwoPiece,
        Handicap::ThreePiece,
        Handicap::FourPiece,
        Handicap::FivePiece,
        Handicap::LeftFivePiece,
        Handicap::SixPiece,
        Handicap::LeftSevenPiece,
        Handicap::RightSevenPiece,
        Handicap::EightPiece,
        Handicap::TenPiece,
        Handicap::ThreePawns,
        Handicap::NakedKing,
    ];

    /// Its name, such as `rook_lance` or `two_piece`.
    pub const fn name(self) -> &'static str {
        match self {
            Handicap::Lance => "lance",
            Handicap::RightLance => "right_lance",
            Handicap::Bishop => "bishop",
            Handicap::Rook => "rook",
            Handicap::RookLance => "rook_lance",
            Handicap::TwoPiece => "two_piece",
            Handicap::ThreePiece => "three_piece",
            Handicap::FourPiece => "four_piece",
            Handicap::FivePiece => "five_piece",
            Handicap::LeftFivePiece => "left_five_piece",
            Handicap::SixPiece => "six_piece",
            Handicap::LeftSevenPiece => "left_seven_piece",
            Handicap::RightSevenPiece => "right_seven_piece",
            Handicap::EightPiece => "eight_piece",
            Handicap::TenPiece => "ten_piece",
            Handicap::ThreePawns => "three_pawns",
            Handicap::NakedKing => "naked_king",
        }
    }

    /// Its name in KIF records.
    pub const fn kif_name(self) -> &'static str {
        match self {
            Handicap::Lance => "香落ち",
            Handicap::RightLance => "右香落ち",
            Handicap::Bishop => "角落ち",
            Handicap::Rook => "飛車落ち",
            Handicap::RookLance => "飛香落ち",
            Handicap::TwoPiece => "二枚落ち",
            Handicap::ThreePiece => "三枚落ち",
            Handicap::FourPiece => "四枚落ち",
            Handicap::FivePiece => "五枚落ち",
            Handicap::LeftFivePiece => "左五枚落ち",
            Handicap::SixPiece => "六枚落ち",
            Handicap::LeftSevenPiece => "左七枚落ち",
            Handicap::RightSevenPiece => "右七枚落ち",
            Handicap::EightPiece => "八枚落ち",
            Handicap::TenPiece => "十枚落ち",
            Handicap::ThreePawns => "歩三兵",
            Handicap::NakedKing => "裸玉",
        }
    }

    /// White's first three ranks and its hand.
    const fn white_side(self) -> (&'static str, &'static str) {
        match self {
            Handicap::Lance => ("lnsgkgsn1/1r5b1/ppppppppp", "-"),
            Handicap::RightLance => ("1nsgkgsnl/1r5b1/ppppppppp", "-"),
            Handicap::Bishop => ("lnsgkgsnl/1r7/ppppppppp", "-"),
            Handicap::Rook => ("lnsgkgsnl/7b1/ppppppppp", "-"),
            Handicap::RookLance => ("lnsgkgsn1/7b1/ppppppppp", "-"),
            Handicap::TwoPiece => ("lnsgkgsnl/9/ppppppppp", "-"),
            Handicap::ThreePiece => ("lnsgkgsn1/9/ppppppppp", "-"),
            Handicap::FourPiece => ("1nsgkgsn1/9/ppppppppp", "-"),
            Handicap::FivePiece => ("2sgkgsn1/9/ppppppppp", "-"),
            Handicap::LeftFivePiece => ("1nsgkgs2/9/ppppppppp", "-"),
            Handicap::SixPiece => ("2sgkgs2/9/ppppppppp", "-"),
            Handicap::LeftSevenPiece => ("2sgkg3/9/ppppppppp", "-"),
            Handicap::RightSevenPiece => ("3gkgs2/9/ppppppppp", "-"),
            Handicap::EightPiece => ("3gkg3/9/ppppppppp", "-"),
            Handicap::TenPiece => ("4k4/9/ppppppppp", "-"),
            Handicap::ThreePawns => ("4k4/9/9", "3p"),
            Handicap::NakedKing => ("4k4/9/9", "-"),
        }
    }

    /// SFEN of the start position, White to move.
    pub fn sfen(self) -> String {
        let (white, hand) = self.white_side();
        format!("{white}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand} 1")
    }

    /// The start position, White to move.
    ///
    /// # Panics
    /// Never: the start positions are sound, which a test shows.
    pub fn position(self) -> Position {
        Position::from_sfen(&self.sfen()).expect("the start of a handicap game is sound").0
    }

    /// Points of the pieces that White gave away.
    pub fn points_given(self) -> u32 {
        27 - self.position().points(Color::White)
    }

    /// The handicap whose start position this is.
    pub fn of_position(position: &Position) -> Option<Handicap> {
        Handicap::ALL.into_iter().find(|handicap| handicap.position() == *position)
    }
}

impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no handicap.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown handicap {text:?}: expected {known}", known = known_names())]
pub struct ParseHandicapError {
    text: String,
}

fn known_names() -> String {
    Handicap::ALL.map(Handicap::name).join(", ")
}

impl FromStr for Handicap {
    type Err = ParseHandicapError;

    /// Reads a name (`two_piece`), its number of pieces (`2`, `2piece`, `2_pieces`), or its name
    /// in KIF records; hyphens count as underscores, and a leading `handicap_` is passed over.
    fn from_str(text: &str) -> Result<Handicap, ParseHandicapError> {
        let lower = text.to_ascii_lowercase().replace(['-', ' '], "_");
        let plain = lower.strip_prefix("handicap_").unwrap_or(&lower);
        let singular = plain.strip_suffix('s').unwrap_or(plain);
        let stem = singular.strip_suffix("piece").unwrap_or(plain).trim_end_matches('_');
        let by_number = match stem {
            "2" | "two" => Some(Handicap::TwoPiece),
            "3" | "three" => Some(Handicap::ThreePiece),
            "4" | "four" => Some(Handicap::FourPiece),
            "5" | "five" | "right_5" | "right_five" => Some(Handicap::FivePiece),
            "left_5" | "left_five" => Some(Handicap::LeftFivePiece),
            "6" | "six" => Some(Handicap::SixPiece),
            "7" | "seven" | "left_7" | "left_seven" => Some(Handicap::LeftSevenPiece),
            "right_7" | "right_seven" => Some(Handicap::RightSevenPiece),
            "8" | "eight" => Some(Handicap::EightPiece),
            "10" | "ten" => Some(Handicap::TenPiece),
            "left_lance" => Some(Handicap::Lance),
            "naked" => Some(Handicap::NakedKing),
            _ => None,
        };
        by_number
            .or_else(|| {
                let named =
                    |handicap: &Handicap| handicap.name() == plain || handicap.kif_name() == text;
                Handicap::ALL.into_iter().find(named)
            })
            .ok_or_else(|| ParseHandicapError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_given_away() {
        let points = Handicap::ALL.map(Handicap::points_given);
        assert_eq!(points, [1, 1, 5, 5, 6, 10, 11, 12, 13, 13, 14, 15, 15, 16, 18, 24, 27]);
    }

    #[test]
    fn names_are_read() {
        for handicap in Handicap::ALL {
            assert_eq!(handicap.name().parse(), Ok(handicap));
            assert_eq!(handicap.kif_name().parse(), Ok(handicap));
            assert_eq!(Handicap::of_position(&handicap.position()), Some(handicap));
        }
        for (text, handicap) in [
            ("2", Handicap::TwoPiece),
            ("2piece", Handicap::TwoPiece),
            ("4-pieces", Handicap::FourPiece),
            ("handicap-8", Handicap::EightPiece),
            ("rook-lance", Handicap::RookLance),
            ("Left_5_Piece", Handicap::LeftFivePiece),
            ("naked king", Handicap::NakedKing),
        ] {
            assert_eq!(text.parse(), Ok(handicap), "{text}");
        }
        for text in ["", "9", "even", "pawns", "handicap"] {
            assert!(text.parse::<Handicap>().is_err(), "{text}");
        }
        assert_eq!(Handicap::of_position(&Position::startpos()), None);
    }
}
