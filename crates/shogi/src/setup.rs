//! Pieces that are not yet known to be a position.

use crate::{Bitboard, Color, Piece, PieceKind, Position, SfenError, Square};

/// Pieces on the board and in the hands with the side to move, to be checked once: the way to a
/// [`Position`] from text and from bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, by [`Square::index`].
    pub board: [Option<Piece>; Square::COUNT],
    /// How many pieces Black and White hold, in the order of [`PieceKind::HAND`].
    pub hands: [[u32; 7]; 2],
    /// The side to move.
    pub side_to_move: Color,
}

impl Setup {
    /// The empty board with nothing in hand, Black to move.
    pub const EMPTY: Setup =
        Setup { board: [None; Square::COUNT], hands: [[0; 7]; 2], side_to_move: Color::Black };

    /// Adds pieces of a kind to a hand; `false` if the kind cannot be held.
    pub fn hold(&mut self, color: Color, kind: PieceKind, count: u32) -> bool {
        let held = self.hands[color.index()].get_mut(kind.index());
        held.map(|held| *held = held.saturating_add(count)).is_some()
    }

    /// Gives a side every piece of a set that is nowhere yet, but for kings.
    pub fn hold_rest(&mut self, color: Color) {
        for kind in PieceKind::HAND {
            let placed = self.board.iter().flatten().filter(|p| p.kind.unpromoted() == kind);
            let held = self.hands.iter().map(|hand| hand[kind.index()]);
            let used = held.fold(placed.count() as u32, u32::saturating_add);
            self.hold(color, kind, kind.in_set().saturating_sub(used));
        }
    }

    /// The position, which a game must be able to reach: without two unpromoted pawns of one side
    /// on a file, a piece that could never move, or a check on the side that has just moved.
    /// Either king may be missing.
    ///
    /// # Errors
    /// What is wrong with the pieces.
    pub fn position(&self) -> Result<Position, SfenError> {
        let position = self.problem()?;
        check_placement(&position)?;
        position.check_settled()?;
        Ok(position)
    }

    /// As [`position`](Setup::position), but takes set-ups that no game reaches, as composed
    /// problems and tests of rules use them.
    ///
    /// # Errors
    /// What is wrong with the number of pieces.
    pub fn problem(&self) -> Result<Position, SfenError> {
        let mut position = Position::empty(self.side_to_move);
        for (square, piece) in Square::all().zip(self.board) {
            if let Some(piece) = piece {
                position.put(square, piece);
            }
        }
        self.check_set(&position)?;
        for color in Color::ALL {
            let hand = position.hand_mut(color);
            for kind in PieceKind::HAND {
                for _ in 0..self.hands[color.index()][kind.index()] {
                    hand.add(kind);
                }
            }
        }
        position.refresh_checkers();
        Ok(position)
    }

    /// Refuses more pieces than a set has. `placed` has those of the board.
    fn check_set(&self, placed: &Position) -> Result<(), SfenError> {
        for color in Color::ALL {
            if placed.pieces_of(color, PieceKind::King).is_many() {
                return Err(SfenError::TwoKings(color));
            }
        }
        for kind in PieceKind::HAND {
            let promoted = kind.promoted().map_or(Bitboard::EMPTY, |kind| placed.kind(kind));
            let on_board = (placed.kind(kind) | promoted).len();
            let held = self.hands.iter().map(|hand| hand[kind.index()]);
            let (count, in_set) = (held.fold(on_board, u32::saturating_add), kind.in_set());
            if count > in_set {
                return Err(SfenError::TooManyPieces { kind, count, in_set });
            }
        }
        Ok(())
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let held =
            |color: Color| PieceKind::HAND.map(|kind| position.hand(color).count(kind).into());
        Setup {
            board: std::array::from_fn(|index| {
                Square::from_index(index as u8).and_then(|square| position.piece_at(square))
            }),
            hands: Color::ALL.map(held),
            side_to_move: position.side_to_move(),
        }
    }
}

/// Refuses double pawns and dead ends.
fn check_placement(position: &Position) -> Result<(), SfenError> {
    for color in Color::ALL {
        let pawns = position.pieces_of(color, PieceKind::Pawn);
        for file in 0..9 {
            if (pawns & Bitboard::file(file)).is_many() {
                return Err(SfenError::Nifu { color, file: file + 1 });
            }
        }
        for kind in [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight] {
            let dead = Bitboard::far_ranks(color, kind.dead_ranks());
            if let Some(square) = (position.pieces_of(color, kind) & dead).first() {
                return Err(SfenError::DeadEnd { color, kind, square });
            }
        }
    }
    Ok(())
}
