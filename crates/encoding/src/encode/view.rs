//! A position seen from the side to move.

use keiko_shogi::{Bitboard, Color, PieceKind, Position};

use crate::bits::{ranks, rotated};

/// The camp that each side wants to enter: the three ranks on the other side of the board.
pub(super) const CAMPS: [u128; 2] = [ranks(0, 2), ranks(6, 8)];

/// The position as the side to move sees it: side 0 moves and plays up the board like Black, side
/// 1 is the opponent. Boards are sets of squares (bit = square).
pub(super) struct View {
    /// Squares by side and kind of piece.
    pub(super) pieces: [[u128; 14]; 2],
    /// All occupied squares.
    pub(super) occupied: Bitboard,
    /// Pieces in hand by side and kind, in the order of [`PieceKind::HAND`].
    pub(super) hands: [[u32; 7]; 2],
    /// The colour of side 0.
    pub(super) side_to_move: Color,
    /// Squares of all pieces of a side but its king.
    men: [u128; 2],
}

impl View {
    pub(super) fn new(position: &Position) -> Self {
        match position.side_to_move() {
            Color::Black => Self::turned(position, |squares| squares),
            Color::White => Self::turned(position, rotated),
        }
    }

    #[inline(always)]
    fn turned(position: &Position, turn: impl Fn(u128) -> u128) -> Self {
        let sides = [position.side_to_move(), position.side_to_move().opponent()];
        let own = turn(position.pieces(sides[0]).bits());
        let mut pieces = [[0; 14]; 2];
        let mut occupied = 0;
        for (index, kind) in PieceKind::ALL.into_iter().enumerate() {
            let squares = turn(position.kind(kind).bits());
            occupied |= squares;
            pieces[0][index] = squares & own;
            pieces[1][index] = squares & !own;
        }
        let kings = [0, 1].map(|side: usize| pieces[side][PieceKind::King.index()]);
        Self {
            pieces,
            occupied: Bitboard::from_bits(occupied),
            hands: sides.map(|color| {
                let hand = position.hand(color);
                PieceKind::HAND.map(|kind| u32::from(hand.count(kind)))
            }),
            side_to_move: sides[0],
            men: [own & !kings[0], occupied & !own & !kings[1]],
        }
    }

    /// Squares of the king of `side`.
    #[inline]
    pub(super) fn king(&self, side: usize) -> u128 {
        self.pieces[side][PieceKind::King.index()]
    }

    /// Squares of all pieces of `side` but its king.
    #[inline]
    pub(super) fn men(&self, side: usize) -> u128 {
        self.men[side]
    }

    /// Points of the pieces of `side` on `squares`: 5 for a big piece, 1 for any other, 0 for the
    /// king.
    #[inline]
    pub(super) fn board_points(&self, side: usize, squares: u128) -> u32 {
        use PieceKind::{Bishop, Dragon, Horse, Rook};
        let of = |kind: PieceKind| self.pieces[side][kind.index()];
        let big = of(Bishop) | of(Rook) | of(Horse) | of(Dragon);
        (self.men[side] & squares).count_ones() + 4 * (big & squares).count_ones()
    }

    /// Points of the pieces in the hand of `side`.
    #[inline]
    pub(super) fn hand_points(&self, side: usize) -> u32 {
        let hand = &self.hands[side];
        hand.iter().sum::<u32>()
            + 4 * (hand[PieceKind::Bishop.index()] + hand[PieceKind::Rook.index()])
    }
}
