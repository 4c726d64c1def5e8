//! What a predictor that knows only the rules would say.

use keiko_shogi::MoveList;
use rayon::prelude::*;

use crate::sampler::RowRef;
use crate::window::Window;

/// The number of legal moves of each of `rows`: equal chances for all of them are the policy that
/// nothing was learnt for.
///
/// # Panics
///
/// If a row is not from `window` as it is now.
#[must_use]
pub fn legal_moves(window: &Window, rows: &[RowRef]) -> Vec<usize> {
    let count = |row: &RowRef| {
        let target = window.game(row.game).target(row.row);
        let mut moves = MoveList::new();
        target.game.legal_moves(&mut moves);
        moves.len()
    };
    rows.par_iter().map(count).collect()
}
