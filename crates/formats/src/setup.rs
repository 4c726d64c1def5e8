//! Start positions put together piece by piece.

use std::fmt::Write as _;

use keiko_shogi::{Color, Piece, PieceKind, Position, SfenError, Square};

/// Pieces on the board and in the hands, not yet known to be a position.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    board: [Option<Piece>; Square::COUNT],
    hands: [[u32; 7]; 2],
}

impl Setup {
    pub(crate) fn empty() -> Self {
        Self { board: [None; Square::COUNT], hands: [[0; 7]; 2] }
    }

    pub(crate) fn even() -> Self {
        let start = Position::startpos();
        let mut setup = Self::empty();
        for square in Square::all() {
            setup.put(square, start.piece_at(square));
        }
        setup
    }

    pub(crate) fn at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    pub(crate) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index()] = piece;
    }

    /// Adds pieces of a kind to a hand; `false` if the kind cannot be held.
    pub(crate) fn hold(&mut self, color: Color, kind: PieceKind, count: u32) -> bool {
        let held = self.hands[color.index()].get_mut(kind.index());
        held.map(|held| *held = held.saturating_add(count)).is_some()
    }

    /// Takes the hands of another set-up.
    pub(crate) fn take_hands(&mut self, other: &Self) {
        self.hands = other.hands;
    }

    /// Gives a side every piece of a set that is nowhere yet, but for kings.
    pub(crate) fn hold_rest(&mut self, color: Color) {
        for kind in PieceKind::HAND {
            let placed = self.board.iter().flatten().filter(|p| p.kind.unpromoted() == kind);
            let held = self.hands.iter().map(|hand| hand[kind.index()]);
            let used = held.fold(placed.count() as u32, u32::saturating_add);
            self.hold(color, kind, kind.in_set().saturating_sub(used));
        }
    }

    /// The position with `side` to move. Problems are welcome, but the side that has just moved must not be
    /// in check.
    pub(crate) fn position(&self, side: Color) -> Result<Position, SfenError> {
        let (position, _) = Position::from_problem_sfen(&self.sfen(side))?;
        position.check_settled()?;
        Ok(position)
    }

    /// The position with `side` to move, which a game must be able to reach.
    pub(crate) fn game_position(&self, side: Color) -> Result<Position, SfenError> {
        Ok(Position::from_sfen(&self.sfen(side))?.0)
    }

    fn sfen(&self, side: Color) -> String {
        let mut text = String::new();
        for rank in 0..9 {
            if rank > 0 {
                text.push('/');
            }
            for file in (0..9).rev() {
                match self.at(Square::new(file, rank)) {
                    Some(piece) => {
                        let _ = write!(text, "{piece}");
                    }
                    None => text.push('1'),
                }
            }
        }
        text.push_str(if side == Color::Black { " b " } else { " w " });
        let start = text.len();
        for color in Color::ALL {
            for kind in PieceKind::HAND {
                let count = self.hands[color.index()][kind.index()];
                if count > 0 {
                    let _ = write!(text, "{count}{}", Piece::new(color, kind));
                }
            }
        }
        if text.len() == start {
            text.push('-');
        }
        text
    }
}
