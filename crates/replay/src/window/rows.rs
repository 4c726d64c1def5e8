//! Numbers for rows.

use super::UNITS;
use crate::sampler::RowRef;

/// The rows of some of the window's games, numbered through.
#[derive(Debug, Default)]
pub(crate) struct RowIndex {
    /// For each game its place in the window and the number after its last row.
    games: Vec<(u32, u64)>,
}

impl RowIndex {
    /// Numbers the rows of `games`, which are places in the window and numbers of rows.
    pub(super) fn new(games: impl Iterator<Item = (usize, u32)>) -> Self {
        let mut end = 0;
        let games = games.map(|(game, rows)| {
            end += u64::from(rows);
            (game as u32, end)
        });
        Self { games: games.collect() }
    }

    pub(crate) fn rows(&self) -> u64 {
        self.games.last().map_or(0, |&(_, end)| end)
    }

    /// The number of rows of each game, in order.
    pub(crate) fn rows_per_game(&self) -> impl Iterator<Item = u64> {
        let starts = std::iter::once(0).chain(self.games.iter().map(|&(_, end)| end));
        self.games.iter().zip(starts).map(|(&(_, end), start)| end - start)
    }

    /// The place in the window of the game that has unit `unit` of all uses, [`UNITS`] for each row, and the unit's number
    /// among those of the game.
    pub(crate) fn game_of_unit(&self, unit: u64) -> (u32, u64) {
        let number = unit / UNITS;
        let i = self.games.partition_point(|&(_, end)| end <= number);
        let start = i.checked_sub(1).map_or(0, |before| self.games[before].1);
        (self.games[i].0, unit - start * UNITS)
    }

    /// Row `number`, below [`rows`](Self::rows), as it is, not mirrored.
    pub(crate) fn row(&self, number: u64) -> RowRef {
        let i = self.games.partition_point(|&(_, end)| end <= number);
        let start = i.checked_sub(1).map_or(0, |before| self.games[before].1);
        RowRef { game: self.games[i].0, row: (number - start) as u32, mirrored: false }
    }
}
