//! Batches by number.

use keiko_replay::{Batch, RowRef, SampleError, Sampler, Window};

/// Draws the batches of a window; a batch is a function of the window, the seed and its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batches<'a> {
    pub(crate) window: &'a Window,
    pub(crate) sampler: Sampler,
    /// How a batch is made of rows.
    pub(crate) make: Make,
}

/// Makes a batch of rows of a window with a share of the search's value in the value targets.
pub(crate) type Make = fn(&Window, &[RowRef], f32) -> Batch;

impl Batches<'_> {
    /// Batch `number`.
    pub(crate) fn get(&self, number: u64) -> Result<Batch, SampleError> {
        let rows = self.sampler.rows(self.window, number)?;
        Ok((self.make)(self.window, &rows, self.search_value(number)))
    }

    /// The share of the search's value in the value targets of batch `number`.
    pub(crate) fn search_value(&self, number: u64) -> f32 {
        self.window.settings().search_value.at(number, self.window.entries())
    }
}
