//! What came after a row: targets of heads that only training has.

use keiko_encoding::{LABELS, label, mirror_label, turned_label};
use ndarray::{Array1, Array2};
use rayon::prelude::*;

use crate::batch::slice;
use crate::sampler::RowRef;
use crate::window::Window;

/// What came after the rows of a batch in their games.
#[derive(Clone, Debug, PartialEq)]
pub struct Ahead {
    /// The policy of the next ply, `[n, 2187]`: each row sums to 1, or is 0 where its weight is 0. A label is the class of
    /// the move as the opponent sees it, to the square as the side to move of the row sees it: so it lies where the row has
    /// the square.
    pub reply: Array2<f32>,
    /// 1 where the next ply was searched with the full budget, else 0, `[n]`.
    pub reply_weight: Array1<f32>,
    /// Plies from the row to the end of its game, the row's own move among them, `[n]`.
    pub plies_left: Array1<f32>,
    /// 1 where the game's end is a target of the value, else 0, `[n]`.
    pub plies_left_weight: Array1<f32>,
}

impl Ahead {
    /// What came after `rows`, in their order.
    pub(crate) fn new(window: &Window, rows: &[RowRef]) -> Self {
        let mut ahead = Self {
            reply: Array2::zeros((rows.len(), LABELS)),
            reply_weight: Array1::zeros(rows.len()),
            plies_left: Array1::zeros(rows.len()),
            plies_left_weight: Array1::zeros(rows.len()),
        };
        let outputs = (
            slice(ahead.reply.as_slice_mut()).par_chunks_exact_mut(LABELS),
            slice(ahead.reply_weight.as_slice_mut()),
            slice(ahead.plies_left.as_slice_mut()),
            slice(ahead.plies_left_weight.as_slice_mut()),
        );
        let inputs = rows.par_iter().zip(outputs.into_par_iter());
        inputs.for_each(|(row, (reply, reply_weight, plies_left, plies_left_weight))| {
            let game = window.game(row.game);
            let (policy, opponent) = game.reply(row.row);
            for &(mv, units) in policy {
                let label = turned_label(label(mv, opponent));
                let label = if row.mirrored { mirror_label(label) } else { label };
                reply[usize::from(label)] = f32::from(units) / f32::from(u16::MAX);
            }
            *reply_weight = if policy.is_empty() { 0.0 } else { 1.0 };
            let (plies, counts) = game.plies_left(row.row);
            *plies_left = plies as f32;
            *plies_left_weight = if counts { 1.0 } else { 0.0 };
        });
        ahead
    }
}
