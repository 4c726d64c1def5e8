//! Random set-ups, which no game needs to reach.

use keiko_shogi::{Color, Piece, PieceKind, Position, Setup};
use proptest::prelude::*;

use crate::random_game::next;

/// Positions of up to a full set, thrown onto the board and into the hands: pieces that can never
/// move, double pawns, kings side by side or missing, and checks on both sides included.
pub(crate) fn random_problem() -> impl Strategy<Value = Position> {
    any::<u64>().prop_map(thrown)
}

fn thrown(seed: u64) -> Position {
    let mut state = seed;
    let mut below = |limit: u64| next(&mut state) % limit;
    let percent_used = [5, 15, 40, 100][below(4) as usize];
    // The kings stand close together in some set-ups.
    let king_squares = [81, 12][below(2) as usize];
    let mut setup = Setup { side_to_move: Color::ALL[below(2) as usize], ..Setup::EMPTY };
    for color in Color::ALL {
        let square = &mut setup.board[below(king_squares) as usize];
        if below(10) > 0 && square.is_none() {
            *square = Some(Piece::new(color, PieceKind::King));
        }
    }
    for kind in PieceKind::HAND {
        for _ in 0..kind.in_set() {
            let color = Color::ALL[below(2) as usize];
            let square = &mut setup.board[below(81) as usize];
            if below(100) >= percent_used {
                continue;
            }
            if below(4) == 0 {
                setup.hold(color, kind, 1);
            } else if square.is_none() {
                let promoted = kind.promoted().filter(|_| below(3) == 0);
                *square = Some(Piece::new(color, promoted.unwrap_or(kind)));
            }
        }
    }
    setup.problem().unwrap()
}
