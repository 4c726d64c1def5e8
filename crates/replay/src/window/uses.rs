//! How often a row of a game is drawn, beside the others of its game.

use crate::record::{GameRecord, SearchKind};

/// Units of a row that is drawn as often as the mean of its game's rows.
pub(crate) const UNITS: u64 = 1 << UNIT_BITS;

/// Bits of [`UNITS`].
const UNIT_BITS: u32 = 20;

/// The shares of a game's rows in its uses: where each row's units end, the last one at [`UNITS`] a row.
#[derive(Debug, Default)]
pub(super) struct Uses(Box<[u64]>);

impl Uses {
    /// A share `weight` of the uses goes to the rows by how much their search surprised the net, the rest is spread evenly
    /// (policy surprise weighting of KataGo). `plies` are those of the rows. Rows whose surprise is not known, because they
    /// were not searched in full or the net's policy was not kept, have the mean use.
    pub(super) fn new(record: &GameRecord, plies: &[u16], weight: f64) -> Self {
        if weight <= 0.0 {
            return Self::default();
        }
        let surprise = |&ply: &u16| {
            let ply = &record.plies[usize::from(ply)];
            let is_known = ply.search == SearchKind::Full && !ply.raw_policy.is_empty();
            is_known.then(|| ply.policy.divergence_from(&ply.raw_policy).max(0.0))
        };
        let surprises: Vec<Option<f64>> = plies.iter().map(surprise).collect();
        let known = surprises.iter().flatten().count() as f64;
        let sum: f64 = surprises.iter().flatten().sum();
        let mut end = 0.0;
        let ends = surprises.iter().map(|surprise| {
            end += match surprise {
                Some(surprise) if sum > 0.0 => (1.0 - weight) + weight * known * surprise / sum,
                _ => 1.0,
            };
            (end * UNITS as f64).round() as u64
        });
        let mut ends: Box<[u64]> = ends.collect();
        if let Some(last) = ends.last_mut() {
            *last = plies.len() as u64 * UNITS;
        }
        Self(ends)
    }

    /// The row to which unit `unit` belongs.
    pub(super) fn row(&self, unit: u64) -> u32 {
        match self.0.is_empty() {
            true => (unit >> UNIT_BITS) as u32,
            false => self.0.partition_point(|&end| end <= unit) as u32,
        }
    }

    /// The units of row `row`.
    pub(super) fn of(&self, row: u32) -> u64 {
        let end = |row: usize| self.0.get(row).copied().unwrap_or((row as u64 + 1) * UNITS);
        let row = row as usize;
        end(row) - row.checked_sub(1).map_or(0, end)
    }
}
