use keiko_encoding::EncodingId;

use super::order::Order;
use super::reader::Draw;
use super::rows::Rows;
use super::{Cursor, DataCounts};
use crate::batch::Batch;
use crate::seed::derive;

/// Rows that are shuffled together.
#[derive(Debug)]
pub struct Pool {
    pub(super) encoding: EncodingId,
    pub(super) blocks: Vec<Rows>,
    /// Which row comes when.
    order: Vec<Pick>,
    batch_rows: usize,
    start: Cursor,
    /// The first batch that is wanted.
    first: u64,
    /// Where the rows after these begin.
    after: Cursor,
}

#[derive(Clone, Copy, Debug)]
struct Pick {
    block: u32,
    row: u32,
    mirrored: bool,
}

impl Pool {
    /// The rows of `blocks`, which begin at `start`, shuffled; `after` is the place after them.
    pub(super) fn new(draw: &Draw, blocks: Vec<Rows>, start: Cursor, after: Cursor) -> Self {
        let mut order: Vec<Pick> = Vec::new();
        for (block, rows) in (0..).zip(&blocks) {
            let pick = |row| Pick { block, row, mirrored: false };
            order.extend((0..rows.len() as u32).map(pick));
        }
        let place = u64::from(start.epoch) << 40 | start.block;
        let mut random = Order::of_seed(derive(draw.seed, "data rows", place));
        random.shuffle(&mut order);
        if draw.mirror {
            for pick in &mut order {
                pick.mirrored = random.coin();
            }
        }
        let batch_rows = draw.batch_rows;
        let mut after = after;
        after.counts.rows_left_over += (order.len() % batch_rows) as u64;
        let encoding = draw.encoding;
        Self { encoding, blocks, order, batch_rows, start, first: start.batch, after }
    }

    /// Whole batches in it that are still wanted.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.whole().saturating_sub(self.first)
    }

    fn whole(&self) -> u64 {
        (self.order.len() / self.batch_rows) as u64
    }

    /// Rows in it.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.order.len() as u64
    }

    /// What was read up to and with these rows.
    #[must_use]
    pub fn counts(&self) -> DataCounts {
        self.after.counts
    }

    /// The place after its rows.
    #[must_use]
    pub fn end(&self) -> Cursor {
        self.after
    }

    /// Batch `number` of those that are wanted, below [`batches`](Self::batches), with a share `search_value`, 0..=1,
    /// of the search's win rate in the value targets; and where the next one comes from.
    ///
    /// # Panics
    ///
    /// If there is no such batch.
    #[must_use]
    pub fn batch(&self, number: u64, search_value: f32) -> (Batch, Cursor) {
        let number = self.first + number;
        let start = number as usize * self.batch_rows;
        let batch = self.make(&self.order[start..start + self.batch_rows], search_value);
        let is_last = number + 1 == self.whole();
        let next = if is_last { self.after } else { Cursor { batch: number + 1, ..self.start } };
        (batch, next)
    }

    /// At most `count` of its rows in batches of `batch_rows`, the last of which may be smaller.
    #[must_use]
    pub fn some(&self, count: usize, batch_rows: usize, search_value: f32) -> Vec<Batch> {
        let order = &self.order[..count.min(self.order.len())];
        order.chunks(batch_rows).map(|picks| self.make(picks, search_value)).collect()
    }

    fn make(&self, picks: &[Pick], search_value: f32) -> Batch {
        Batch::filled(self.encoding, picks, |pick, slot| {
            slot.mirrored = pick.mirrored;
            self.blocks[pick.block as usize].fill(pick.row as usize, search_value, slot);
        })
    }
}
