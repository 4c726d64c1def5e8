//! Which rows make a batch.

use std::collections::{BTreeMap, BTreeSet};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use thiserror::Error;

use crate::seed::derive;
use crate::window::{RowSource, UNITS, Window};

/// A row of a window, as long as the window is not brought forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowRef {
    pub(crate) game: u32,
    pub(crate) row: u32,
    pub(crate) mirrored: bool,
}

impl RowRef {
    /// Whether the row is to be mirrored left to right.
    #[must_use]
    pub fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// The same row, mirrored or not.
    #[must_use]
    pub fn with_mirror(self, mirrored: bool) -> Self {
        Self { mirrored, ..self }
    }

    /// Where the row comes from.
    ///
    /// # Panics
    ///
    /// If `window` is not the window that the row was taken from, as it was then.
    #[must_use]
    pub fn source(self, window: &Window) -> RowSource {
        let (stream, index, ply) = window.game(self.game).source(self.row);
        RowSource { stream: stream.to_owned(), index, ply }
    }
}

/// Draws batches: a function of a seed, a step and the window, without any state.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    seed: u64,
    batch_rows: usize,
}

/// The window cannot fill a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a batch of {wanted} rows, but the window gives at most {rows}: its games with \
     replay.max_rows_per_game rows each"
)]
pub struct SampleError {
    /// Rows of a batch.
    pub wanted: usize,
    /// Rows that the window can give to one batch.
    pub rows: u64,
}

impl Sampler {
    /// A sampler of batches of `batch_rows` rows.
    #[must_use]
    pub fn new(seed: u64, batch_rows: usize) -> Self {
        Self { seed, batch_rows }
    }

    /// The rows of the batch of training step `step`: drawn from the rows of the window, each equally likely or by
    /// `surprise_weight` by how much its search surprised the net, none twice, none beyond `max_rows_per_game` of a game; each mirrored with probability 1/2 if the
    /// settings say so.
    ///
    /// # Errors
    ///
    /// [`SampleError`] if the window has too few rows or games.
    pub fn rows(&self, window: &Window, step: u64) -> Result<Vec<RowRef>, SampleError> {
        let cap = window.settings().max_rows_per_game;
        let index = window.training();
        let per_game = |rows: u64| rows.min(u64::from(cap));
        let capacity = index.rows_per_game().map(per_game).sum::<u64>();
        if capacity < self.batch_rows as u64 {
            return Err(SampleError { wanted: self.batch_rows, rows: capacity });
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(derive(self.seed, "sampler", step));
        let mut rows = if capacity / 2 < self.batch_rows as u64 {
            draw_from_shuffled(window, cap, self.batch_rows, &mut rng)
        } else {
            draw_by_rejection(window, cap, self.batch_rows, &mut rng)
        };
        if window.settings().mirror {
            for row in &mut rows {
                row.mirrored = rng.next_u64() >> 63 == 1;
            }
        }
        Ok(rows)
    }

    /// Rows of held-out games for a measurement: spread evenly over the held-out rows, not mirrored,
    /// all of them if there are fewer than a batch. The same for the same window.
    #[must_use]
    pub fn held_out_rows(&self, window: &Window) -> Vec<RowRef> {
        let index = window.held_out();
        let total = index.rows();
        let count = total.min(self.batch_rows as u64);
        let place = |i: u64| (u128::from(i) * u128::from(total) / u128::from(count)) as u64;
        (0..count).map(|i| index.row(place(i))).collect()
    }
}

/// Counts the rows of each game that a batch took.
#[derive(Default)]
struct Taken {
    per_game: BTreeMap<u32, u32>,
    rows: BTreeSet<RowRef>,
}

impl Taken {
    /// Takes `row` if it is new and its game has not given `cap` rows.
    fn take(&mut self, row: RowRef, cap: u32) -> bool {
        let count = self.per_game.entry(row.game).or_insert(0);
        let free = *count < cap && self.rows.insert(row);
        *count += u32::from(free);
        free
    }
}

/// Draws until there are enough; quick where at most half of what there is is wanted.
fn draw_by_rejection(window: &Window, cap: u32, wanted: usize, rng: &mut impl Rng) -> Vec<RowRef> {
    let index = window.training();
    let mut taken = Taken::default();
    let mut rows = Vec::with_capacity(wanted);
    while rows.len() < wanted {
        let (game, unit) = index.game_of_unit(below(rng, index.rows() * UNITS));
        let row = RowRef { game, row: window.game(game).row_of_unit(unit), mirrored: false };
        if taken.take(row, cap) {
            rows.push(row);
        }
    }
    rows
}

/// Goes through all rows in a random order; ends where drawing at random might take for ever.
fn draw_from_shuffled(window: &Window, cap: u32, wanted: usize, rng: &mut impl Rng) -> Vec<RowRef> {
    let index = window.training();
    let rows = (0..index.rows()).map(|number| index.row(number));
    let order: Vec<RowRef> = if window.settings().surprise_weight > 0.0 {
        by_units(window, rows, rng)
    } else {
        let mut order: Vec<RowRef> = rows.collect();
        for i in (1..order.len()).rev() {
            order.swap(i, below(rng, i as u64 + 1) as usize);
        }
        order
    };
    let mut taken = Taken::default();
    order.into_iter().filter(|&row| taken.take(row, cap)).take(wanted).collect()
}

/// The rows in the order in which they would be drawn one after the other by their units, without those drawn before:
/// by an exponentially distributed time for each (Efraimidis and Spirakis 2006, "Weighted random sampling with a
/// reservoir").
fn by_units(
    window: &Window,
    rows: impl Iterator<Item = RowRef>,
    rng: &mut impl Rng,
) -> Vec<RowRef> {
    let mut timed: Vec<(f64, RowRef)> = rows
        .map(|row| {
            let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            (-uniform.ln() / window.game(row.game).units(row.row) as f64, row)
        })
        .collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    timed.into_iter().map(|(_, row)| row).collect()
}

/// A number below `limit`, by multiplication; its bias is below `limit` / 2^64.
fn below(rng: &mut impl Rng, limit: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(limit)) >> 64) as u64
}
