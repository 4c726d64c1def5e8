//! A position seen from the side to move.

use keiko_shogi::{Color, Hand, PieceKind, Position};

use crate::bits::{ranks, rotated};

/// The camp that each side wants to enter: the three ranks on the other side of the board.
pub(super) const CAMPS: [u128; 2] = [ranks(0, 2), ranks(6, 8)];

/// The position as the side to move sees it: side 0 moves and plays up the board like Black, side
/// 1 is the opponent. Boards are sets of squares (bit = square).
pub(super) struct View {
    /// Squares by side and kind of piece.
    pub(super) pieces: [[u128; 14]; 2],
    /// All occupied squares.
    pub(super) occupied: u128,
    /// Hands by side.
    pub(super) hands: [Hand; 2],
    /// The colour of side 0.
    pub(super) side_to_move: Color,
}

impl View {
    pub(super) fn new(position: &Position) -> Self {
        let side_to_move = position.side_to_move();
        let turn = |squares: u128| match side_to_move {
            Color::Black => squares,
            Color::White => rotated(squares),
        };
        let sides = [side_to_move, side_to_move.opponent()];
        let [own, opponent] = sides.map(|color| turn(position.pieces(color).bits()));
        let mut pieces = [[0; 14]; 2];
        for (index, kind) in PieceKind::ALL.into_iter().enumerate() {
            let squares = turn(position.kind(kind).bits());
            pieces[0][index] = squares & own;
            pieces[1][index] = squares & opponent;
        }
        let hands = sides.map(|color| position.hand(color));
        Self { pieces, occupied: own | opponent, hands, side_to_move }
    }

    /// Squares of the four kinds that count 5 points.
    pub(super) fn big(&self, side: usize) -> u128 {
        use PieceKind::{Bishop, Dragon, Horse, Rook};
        let of = |kind: PieceKind| self.pieces[side][kind.index()];
        of(Bishop) | of(Rook) | of(Horse) | of(Dragon)
    }

    /// Squares of the king of `side`.
    pub(super) fn king(&self, side: usize) -> u128 {
        self.pieces[side][PieceKind::King.index()]
    }

    /// Squares of all pieces of `side` but its king.
    pub(super) fn men(&self, side: usize) -> u128 {
        self.pieces[side].iter().fold(0, |all, squares| all | squares) & !self.king(side)
    }

    /// Points of the pieces of `side` on `squares` and in its hand: 5 for a big piece, 1 for any
    /// other, 0 for the king.
    pub(super) fn points(&self, side: usize, squares: u128) -> u32 {
        let board =
            (self.men(side) & squares).count_ones() + 4 * (self.big(side) & squares).count_ones();
        let hand: u32 = PieceKind::HAND
            .into_iter()
            .map(|kind| {
                let value = if matches!(kind, PieceKind::Bishop | PieceKind::Rook) { 5 } else { 1 };
                value * u32::from(self.hands[side].count(kind))
            })
            .sum();
        board + hand
    }
}
