//! What a move needs to be taken back.

use crate::{Bitboard, Piece};

/// What [`Position::do_move`](crate::Position::do_move) returns and
/// [`Position::undo_move`](crate::Position::undo_move) needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    pub(crate) checkers: Bitboard,
    pub(crate) board_key: u64,
    pub(crate) captured: Option<Piece>,
    pub(crate) unsettled: bool,
}

impl Undo {
    /// Stands for the move before the start of a game; it is never taken back.
    pub(crate) const START: Undo =
        Undo { checkers: Bitboard::EMPTY, board_key: 0, captured: None, unsettled: false };

    /// The piece that the move captured, as it stood on the board.
    #[inline]
    pub const fn captured(&self) -> Option<Piece> {
        self.captured
    }
}
