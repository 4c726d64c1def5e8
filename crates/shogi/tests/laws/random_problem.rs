//! Random set-ups, which no game needs to reach.

use keiko_shogi::{Color, PieceKind, Position};
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
    let mut board: [Option<String>; 81] = [const { None }; 81];
    for color in Color::ALL {
        let square = below(king_squares) as usize;
        if below(10) > 0 && board[square].is_none() {
            board[square] = Some(letter(color, PieceKind::King));
        }
    }
    let mut hands = String::new();
    for kind in PieceKind::HAND {
        for _ in 0..kind.in_set() {
            let color = Color::ALL[below(2) as usize];
            let square = &mut board[below(81) as usize];
            if below(100) >= percent_used {
                continue;
            }
            if below(4) == 0 {
                hands += &letter(color, kind);
            } else if square.is_none() {
                let promotes = kind.promoted().is_some() && below(3) == 0;
                let plus = if promotes { "+" } else { "" };
                *square = Some(format!("{plus}{}", letter(color, kind)));
            }
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let ranks: Vec<String> = board
        .chunks(9)
        .map(|rank| rank.iter().map(|square| square.as_deref().unwrap_or("1")).collect())
        .collect();
    let side = ["b", "w"][below(2) as usize];
    Position::from_problem_sfen(&format!("{} {side} {hands}", ranks.join("/"))).unwrap().0
}

fn letter(color: Color, kind: PieceKind) -> String {
    let letter = kind.letter();
    match color {
        Color::Black => letter.to_string(),
        Color::White => letter.to_ascii_lowercase().to_string(),
    }
}
