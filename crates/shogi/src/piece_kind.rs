//! Kinds of pieces.

use crate::Color;

/// What a piece is, without its side.
///
/// The order is that of dlshogi's input planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// Fu (歩).
    Pawn = 0,
    /// Kyo (香).
    Lance = 1,
    /// Kei (桂).
    Knight = 2,
    /// Gin (銀).
    Silver = 3,
    /// Kaku (角).
    Bishop = 4,
    /// Hisha (飛).
    Rook = 5,
    /// Kin (金).
    Gold = 6,
    /// Gyoku (玉).
    King = 7,
    /// Tokin (と), a promoted pawn.
    ProPawn = 8,
    /// Narikyo (成香), a promoted lance.
    ProLance = 9,
    /// Narikei (成桂), a promoted knight.
    ProKnight = 10,
    /// Narigin (成銀), a promoted silver.
    ProSilver = 11,
    /// Uma (馬), a promoted bishop.
    Horse = 12,
    /// Ryu (竜), a promoted rook.
    Dragon = 13,
}

use PieceKind::{
    Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, ProKnight, ProLance, ProPawn,
    ProSilver, Rook, Silver,
};

impl PieceKind {
    /// Number of kinds.
    pub const COUNT: usize = 14;

    /// All kinds in the order of their numbers.
    pub const ALL: [PieceKind; 14] = [
        Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight,
        ProSilver, Horse, Dragon,
    ];

    /// The kinds that can be held in hand, in the order of their numbers (0..7).
    pub const HAND: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold];

    /// The kinds that can be held in hand, in the order in which hands are written.
    pub const HAND_WRITTEN: [PieceKind; 7] = [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn];

    /// Its number, 0..14.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The promoted kind, if there is one.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self {
            Pawn => Some(ProPawn),
            Lance => Some(ProLance),
            Knight => Some(ProKnight),
            Silver => Some(ProSilver),
            Bishop => Some(Horse),
            Rook => Some(Dragon),
            _ => None,
        }
    }

    /// The kind before promotion; the kind itself if it is not a promoted one.
    #[inline]
    pub const fn unpromoted(self) -> PieceKind {
        match self {
            ProPawn => Pawn,
            ProLance => Lance,
            ProKnight => Knight,
            ProSilver => Silver,
            Horse => Bishop,
            Dragon => Rook,
            kind => kind,
        }
    }

    /// Whether this is a promoted kind.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        matches!(self, ProPawn | ProLance | ProKnight | ProSilver | Horse | Dragon)
    }

    /// Whether it moves as a gold general.
    #[inline]
    pub const fn is_gold_mover(self) -> bool {
        matches!(self, Gold | ProPawn | ProLance | ProKnight | ProSilver)
    }

    /// Its points in an impasse count: 5 for rook, bishop and their promoted forms, 0 for a king,
    /// 1 for the rest.
    #[inline]
    pub const fn points(self) -> u32 {
        match self {
            Bishop | Rook | Horse | Dragon => 5,
            King => 0,
            _ => 1,
        }
    }

    /// How many of the kind (promoted ones included) a full set has: 18, 4, 4, 4, 2, 2, 4 and 2
    /// kings.
    #[inline]
    pub const fn in_set(self) -> u32 {
        match self.unpromoted() {
            Pawn => 18,
            Bishop | Rook | King => 2,
            _ => 4,
        }
    }

    /// How many ranks at the far end leave the piece without any later move: 1 for pawn and
    /// lance, 2 for the knight, else 0.
    #[inline]
    pub const fn dead_ranks(self) -> u8 {
        match self {
            Pawn | Lance => 1,
            Knight => 2,
            _ => 0,
        }
    }

    /// The upper-case SFEN letter of the kind before promotion.
    #[inline]
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Bishop => 'B',
            Rook => 'R',
            Gold => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind with this upper-case SFEN letter.
    #[inline]
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        match letter {
            'P' => Some(Pawn),
            'L' => Some(Lance),
            'N' => Some(Knight),
            'S' => Some(Silver),
            'B' => Some(Bishop),
            'R' => Some(Rook),
            'G' => Some(Gold),
            'K' => Some(King),
            _ => None,
        }
    }

    /// Whether a piece of this kind and of `color` on `to` could never move again.
    #[inline]
    pub const fn is_dead_end(self, color: Color, to: crate::Square) -> bool {
        to.rank_for(color) < self.dead_ranks()
    }
}
