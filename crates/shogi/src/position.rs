//! A position: placement, hands and side to move.

mod attackers;
mod check;
mod classify;
mod control;
mod count;
mod make;
mod mate;
mod undo;

pub use undo::Undo;

use crate::{Bitboard, Color, Hand, Piece, PieceKind, SfenError, Square, zobrist};

/// A position of the game: placement, both hands and the side to move.
///
/// It knows neither its move number nor its history (see [`Game`](crate::Game)). Either king may
/// be missing, as in composed problems. There are never more pieces than a set has. What no game
/// reaches (double pawns, pieces that could never move, a check on the side that just moved) comes
/// only from [`Setup::problem`](crate::Setup::problem) (and its text) or from fouls that were played.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    colors: [Bitboard; 2],
    kinds: [Bitboard; PieceKind::COUNT],
    /// Everything that moves as a gold.
    golds: Bitboard,
    checkers: Bitboard,
    /// Key of placement and side to move, without the hands.
    board_key: u64,
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    side_to_move: Color,
    /// Whether the side that just moved is in check, which no legal move leaves behind.
    unsettled: bool,
    board: [Option<Piece>; Square::COUNT],
}

impl Position {
    /// The start position of an even game.
    pub fn startpos() -> Position {
        const BACK: [PieceKind; 9] = [
            PieceKind::Lance,
            PieceKind::Knight,
            PieceKind::Silver,
            PieceKind::Gold,
            PieceKind::King,
            PieceKind::Gold,
            PieceKind::Silver,
            PieceKind::Knight,
            PieceKind::Lance,
        ];
        let mut position = Position::empty(Color::Black);
        for (file, kind) in (0..9).zip(BACK) {
            position.put(Square::new(file, 8), Piece::new(Color::Black, kind));
            position.put(Square::new(file, 6), Piece::new(Color::Black, PieceKind::Pawn));
        }
        position.put(Square::SQ_8H, Piece::new(Color::Black, PieceKind::Bishop));
        position.put(Square::SQ_2H, Piece::new(Color::Black, PieceKind::Rook));
        for square in position.colors[Color::Black.index()] {
            if let Some(piece) = position.piece_at(square) {
                position.put(square.rotated(), Piece::new(Color::White, piece.kind));
            }
        }
        position
    }

    /// The empty board with nothing in hand.
    pub(crate) fn empty(side_to_move: Color) -> Position {
        Position {
            colors: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; PieceKind::COUNT],
            golds: Bitboard::EMPTY,
            checkers: Bitboard::EMPTY,
            board_key: zobrist::side_key(side_to_move),
            hands: [Hand::EMPTY; 2],
            kings: [None; 2],
            side_to_move,
            unsettled: false,
            board: [None; Square::COUNT],
        }
    }

    /// Puts a piece on an empty square. The checkers are left as they are.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.board[square.index()].is_none());
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
        if piece.kind == PieceKind::King {
            self.kings[piece.color.index()] = Some(square);
        }
    }

    /// Adds or removes a piece in the bitboards and the key.
    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        self.colors[piece.color.index()] ^= bit;
        self.kinds[piece.kind.index()] ^= bit;
        if piece.kind.is_gold_mover() {
            self.golds ^= bit;
        }
        self.board_key ^= zobrist::piece_key(piece, square);
    }

    /// Computes the checks on both sides from the placement.
    pub(crate) fn refresh_checkers(&mut self) {
        self.checkers = self.checkers_from_scratch();
        let us = self.side_to_move;
        self.unsettled = match self.king(!us) {
            Some(king) => !self.attackers_to(king, us).is_empty(),
            None => false,
        };
    }

    /// Whether the side that just moved is in check, which no legal move leaves behind.
    pub const fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// Refuses a position whose side that just moved is in check: its king could be taken.
    ///
    /// # Errors
    /// [`SfenError::OpponentInCheck`] names that side.
    pub const fn check_settled(&self) -> Result<(), SfenError> {
        if self.unsettled {
            return Err(SfenError::OpponentInCheck(self.side_to_move.opponent()));
        }
        Ok(())
    }

    /// The hand of a side, to be changed.
    pub(crate) fn hand_mut(&mut self, color: Color) -> &mut Hand {
        &mut self.hands[color.index()]
    }

    /// The side to move.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares of all pieces of a side.
    #[inline]
    pub const fn pieces(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of all pieces of a kind, of both sides.
    #[inline]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of the pieces of a kind of one side.
    #[inline]
    pub fn pieces_of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The hand of a side.
    #[inline]
    pub const fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// The square of a king, if it is on the board.
    #[inline]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Hash key of placement and side to move, without the hands.
    #[inline]
    pub const fn board_key(&self) -> u64 {
        self.board_key
    }

    /// Hash key of placement, hands and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board_key ^ zobrist::hands_key(self.hands)
    }

    /// The key computed from the pieces, for tests of the incremental one.
    #[doc(hidden)]
    pub fn key_from_scratch(&self) -> u64 {
        let pieces = Square::all()
            .filter_map(|square| Some(zobrist::piece_key(self.piece_at(square)?, square)));
        pieces.fold(zobrist::side_key(self.side_to_move), |key, piece| key ^ piece)
            ^ zobrist::hands_key(self.hands)
    }

    /// The position seen from the other side: half a turn of the board, colours swapped.
    pub fn flipped(&self) -> Position {
        self.transformed(!self.side_to_move, |square, piece| {
            (square.rotated(), Piece::new(!piece.color, piece.kind))
        })
    }

    /// The position with left and right swapped.
    pub fn mirrored(&self) -> Position {
        self.transformed(self.side_to_move, |square, piece| (square.mirrored(), piece))
    }

    fn transformed(
        &self,
        side_to_move: Color,
        map: impl Fn(Square, Piece) -> (Square, Piece),
    ) -> Position {
        let mut other = Position::empty(side_to_move);
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                let (square, piece) = map(square, piece);
                other.put(square, piece);
            }
        }
        other.hands = self.hands;
        if side_to_move != self.side_to_move {
            other.hands.swap(0, 1);
        }
        other.refresh_checkers();
        other
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({})", self.to_sfen(1))
    }
}
