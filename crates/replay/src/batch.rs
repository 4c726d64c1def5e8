//! What a training step reads.

use keiko_encoding::{
    Context, EncodingId, LABELS, encode, encode_position, label, mirror_label, mirror_row,
};
use keiko_shogi::{Color, MoveList, Outcome};
use ndarray::{Array1, Array2};
use rayon::prelude::*;

use crate::ahead::Ahead;
use crate::sampler::RowRef;
use crate::wdl::StoredWdl;
use crate::window::{Place, RowTarget, Window};

/// Rows and their targets. Everything is for the side to move of each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Packed input planes, `[n, row_bytes]`.
    pub rows: Array2<u8>,
    /// The policy to learn, `[n, 2187]`; each row sums to 1, or is 0 where its weight is 0.
    pub policy: Array2<f32>,
    /// Which labels belong to legal moves, `[n, 2187]`, 1 or 0: what a policy is over.
    pub legal: Array2<u8>,
    /// Win, draw and loss to learn, `[n, 3]`; each row sums to 1.
    pub wdl: Array2<f32>,
    /// Weight of the policy's loss, `[n]`, 0 or 1.
    pub policy_weight: Array1<f32>,
    /// Weight of the value's loss, `[n]`, 0 or 1.
    pub value_weight: Array1<f32>,
    /// What came after the rows, where that was asked for.
    pub ahead: Option<Ahead>,
}

impl Batch {
    /// Makes the batch of `rows` with a share `search_value`, 0..=1, of the search's value in the value
    /// target; games that search played without a net have none. The order of the rows is kept; rayon's threads do not change a bit.
    ///
    /// # Panics
    ///
    /// If a row is not from `window` as it is now.
    #[must_use]
    pub fn new(window: &Window, rows: &[RowRef], search_value: f32) -> Self {
        let encoding = window.encoding();
        Self::filled(encoding, rows, |row, slot| {
            let target = window.game(row.game).target(row.row, encoding.scalars() > 0);
            match &target.place {
                Place::Position(position) => encode_position(encoding, position, slot.bytes),
                Place::Game(game) => {
                    let context = Context { draw_values: target.draw_values };
                    encode(encoding, game, &context, slot.bytes);
                }
            }
            slot.mirrored = row.mirrored;
            let position = target.place.position();
            let mover = position.side_to_move();
            for &(mv, units) in target.policy {
                slot.learn(label(mv, mover), f32::from(units) / f32::from(u16::MAX));
            }
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            for &mv in &moves {
                slot.allow(label(mv, mover));
            }
            slot.wdl.copy_from_slice(&wdl_target(&target, mover, search_value));
            *slot.policy_weight = if target.policy.is_empty() { 0.0 } else { 1.0 };
            *slot.value_weight = if target.value_counts { 1.0 } else { 0.0 };
        })
    }

    /// [`new`](Self::new) with what came after each row in its game.
    ///
    /// # Panics
    ///
    /// As for [`new`](Self::new).
    #[must_use]
    pub fn with_ahead(window: &Window, rows: &[RowRef], search_value: f32) -> Self {
        let ahead = Some(Ahead::new(window, rows));
        Self { ahead, ..Self::new(window, rows, search_value) }
    }

    /// A batch with a row for each of `items`, which `fill` writes to its place.
    pub(crate) fn filled<T: Sync>(
        encoding: EncodingId,
        items: &[T],
        fill: impl Fn(&T, &mut RowSlot<'_>) + Sync,
    ) -> Self {
        let row_bytes = encoding.row_bytes();
        let mut batch = Self::zeros(encoding, items.len());
        let outputs = (
            slice(batch.rows.as_slice_mut()).par_chunks_exact_mut(row_bytes),
            slice(batch.policy.as_slice_mut()).par_chunks_exact_mut(LABELS),
            slice(batch.legal.as_slice_mut()).par_chunks_exact_mut(LABELS),
            slice(batch.wdl.as_slice_mut()).par_chunks_exact_mut(3),
            slice(batch.policy_weight.as_slice_mut()),
            slice(batch.value_weight.as_slice_mut()),
        );
        let inputs = items.par_iter().zip(outputs.into_par_iter());
        inputs.for_each(|(item, (bytes, policy, legal, wdl, policy_weight, value_weight))| {
            let mirrored = false;
            let mut slot =
                RowSlot { mirrored, bytes, wdl, policy_weight, value_weight, policy, legal };
            fill(item, &mut slot);
            if slot.mirrored {
                mirror_row(encoding, slot.bytes);
            }
        });
        batch
    }

    /// A batch of empty boards from which nothing is learnt.
    #[must_use]
    pub fn zeros(encoding: EncodingId, rows: usize) -> Self {
        Self {
            rows: Array2::zeros((rows, encoding.row_bytes())),
            policy: Array2::zeros((rows, LABELS)),
            legal: Array2::zeros((rows, LABELS)),
            wdl: Array2::zeros((rows, 3)),
            policy_weight: Array1::zeros(rows),
            value_weight: Array1::zeros(rows),
            ahead: None,
        }
    }

    /// Bytes that each row of a batch takes in memory, with what came after it.
    #[must_use]
    pub fn row_bytes(encoding: EncodingId) -> usize {
        encoding.row_bytes() + LABELS * (2 * size_of::<f32>() + 1) + 7 * size_of::<f32>()
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.nrows()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The place of a row in a batch; everything is 0 at first.
pub(crate) struct RowSlot<'b> {
    /// Whether the row is to be mirrored, to be said before any label is.
    pub(crate) mirrored: bool,
    /// The row as it is, not mirrored.
    pub(crate) bytes: &'b mut [u8],
    pub(crate) wdl: &'b mut [f32],
    pub(crate) policy_weight: &'b mut f32,
    pub(crate) value_weight: &'b mut f32,
    policy: &'b mut [f32],
    legal: &'b mut [u8],
}

impl RowSlot<'_> {
    /// Sets the share to learn of the move with this label of the row as it is.
    pub(crate) fn learn(&mut self, label: u16, share: f32) {
        self.policy[self.place(label)] = share;
    }

    /// Says that the move with this label of the row as it is is legal.
    pub(crate) fn allow(&mut self, label: u16) {
        self.legal[self.place(label)] = 1;
    }

    fn place(&self, label: u16) -> usize {
        usize::from(if self.mirrored { mirror_label(label) } else { label })
    }
}

/// (1 - λ) onehot(outcome) + λ root value, for `mover`.
fn wdl_target(target: &RowTarget<'_>, mover: Color, search_value: f32) -> [f32; 3] {
    let outcome = outcome_wdl(target.outcome, mover).shares();
    let Some(searched) = target.search_value else { return outcome };
    let searched = searched.shares();
    std::array::from_fn(|i| (1.0 - search_value) * outcome[i] + search_value * searched[i])
}

pub(crate) fn outcome_wdl(outcome: Outcome, mover: Color) -> StoredWdl {
    match outcome.winner() {
        Some(winner) if winner == mover => StoredWdl::WIN,
        Some(_) => StoredWdl::LOSS,
        None => StoredWdl::DRAW,
    }
}

/// New arrays are in one piece.
pub(crate) fn slice<T>(array: Option<&mut [T]>) -> &mut [T] {
    array.expect("a new array is contiguous")
}
