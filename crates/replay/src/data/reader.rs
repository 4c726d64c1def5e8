use std::collections::VecDeque;

use keiko_encoding::EncodingId;
use rayon::prelude::*;

use super::decode::Decoded;
use super::order::Order;
use super::{Cursor, DataError, DataSet, Pool};
use crate::seed::derive;

/// Blocks that are decoded at a time. Part of nothing that comes out.
const WAVE: usize = 16;

/// How rows are drawn from files.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// The seed of all orders.
    pub seed: u64,
    /// Rows of a batch, at least 1.
    pub batch_rows: usize,
    /// Rows that are shuffled together, at least 1.
    pub shuffle_rows: u64,
    /// Whether half of the rows are mirrored left to right.
    pub mirror: bool,
    /// Times that all files are read; `None` for no end.
    pub epochs: Option<u32>,
    /// The encoding of the rows.
    pub encoding: EncodingId,
}

/// Reads files, one pool of rows after another.
#[derive(Debug)]
pub struct PoolReader<'d> {
    set: &'d DataSet,
    draw: Draw,
    cursor: Cursor,
    /// The blocks in the order of the cursor's epoch.
    order: Vec<u32>,
    /// Blocks that were decoded together with those that were needed.
    ahead: VecDeque<Result<Decoded, DataError>>,
    /// Whole batches since the epoch began; unknown where it was not seen to begin.
    batches: Option<u64>,
    /// Rows since then.
    rows: u64,
}

impl<'d> PoolReader<'d> {
    /// Reads from `cursor` on, or from the beginning.
    ///
    /// # Errors
    ///
    /// [`DataError::Settings`] if the cursor is of other sizes of pools and batches.
    pub fn new(set: &'d DataSet, draw: Draw, cursor: Option<Cursor>) -> Result<Self, DataError> {
        let begin = Cursor {
            shuffle_rows: draw.shuffle_rows,
            batch_rows: draw.batch_rows as u64,
            ..Cursor::default()
        };
        let cursor = cursor.unwrap_or(begin);
        for (key, before, now) in [
            ("replay.data.shuffle_rows", cursor.shuffle_rows, begin.shuffle_rows),
            ("trainer.batch_rows", cursor.batch_rows, begin.batch_rows),
        ] {
            if before != now {
                return Err(DataError::Settings { key, before, now });
            }
        }
        let batches = (cursor.block == 0 && cursor.batch == 0).then_some(0);
        let order = order(set, &draw, cursor.epoch);
        Ok(Self { set, draw, cursor, order, ahead: VecDeque::new(), batches, rows: 0 })
    }

    /// The next rows that are shuffled together, which may be no batch; nothing when all epochs are over.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, too many records are wrong, or an epoch gave no batch at all.
    pub fn next_pool(&mut self) -> Result<Option<Pool>, DataError> {
        if self.draw.epochs.is_some_and(|epochs| self.cursor.epoch >= epochs) {
            return Ok(None);
        }
        let start = self.cursor;
        let mut next = Cursor { batch: 0, ..start };
        let (mut blocks, mut rows) = (Vec::new(), 0);
        while rows < self.draw.shuffle_rows && next.block < self.order.len() as u64 {
            let Decoded { rows: more, counts, bad } = self.decoded(next.block as usize)?;
            next.block += 1;
            next.counts += counts;
            if let Some(source) = bad {
                let allowed = self.set.reading.max_bad;
                let count = next.counts.bad;
                if count > allowed.saturating_mul(u64::from(start.epoch) + 1) {
                    return Err(DataError::Bad { count, allowed, source: Box::new(source) });
                }
            }
            rows += more.len() as u64;
            blocks.push(more);
        }
        self.rows += rows;
        self.batches = self.batches.map(|batches| batches + rows / next.batch_rows);
        if next.block == self.order.len() as u64 {
            if self.batches == Some(0) {
                let (rows, batch_rows) = (self.rows, next.batch_rows);
                return Err(DataError::Few { rows, batch_rows });
            }
            next = Cursor { epoch: start.epoch + 1, block: 0, ..next };
            self.order = order(self.set, &self.draw, next.epoch);
            (self.batches, self.rows) = (Some(0), 0);
        }
        let pool = Pool::new(&self.draw, blocks, start, next);
        self.cursor = next;
        self.cursor.counts = pool.counts();
        Ok(Some(pool))
    }

    /// The rows of a block of the order.
    fn decoded(&mut self, place: usize) -> Result<Decoded, DataError> {
        if self.ahead.is_empty() {
            let end = self.order.len().min(place + WAVE);
            let wave = self.order[place..end].par_iter();
            let mut decoded = Vec::new();
            wave.map(|&block| self.set.decode(block as usize)).collect_into_vec(&mut decoded);
            self.ahead = decoded.into();
        }
        self.ahead.pop_front().expect("a wave has the block that was asked for")
    }
}

/// The order of the blocks in an epoch.
fn order(set: &DataSet, draw: &Draw, epoch: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..set.blocks.len() as u32).collect();
    Order::of_seed(derive(draw.seed, "data blocks", epoch.into())).shuffle(&mut order);
    order
}
