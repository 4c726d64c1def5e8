use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// What was read, and what was left out, so far; a file that is read again counts again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataCounts {
    /// Positions or games.
    pub records: u64,
    /// Rows made of them.
    pub rows: u64,
    /// Rows without a move or visits to learn from.
    pub rows_without_policy: u64,
    /// Rows of games whose end is no value target, by the settings.
    pub rows_without_value: u64,
    /// Rows that were left when whole batches had been taken.
    pub rows_left_over: u64,
    /// Records that are wrong.
    pub bad: u64,
    /// Games that a time forfeit ended.
    pub time_forfeits: u64,
    /// Games that a program's failure ended.
    pub crashes: u64,
    /// Games with an illegal move or a wrong declaration.
    pub illegal: u64,
    /// Games that were broken off, or not played.
    pub unfinished: u64,
    /// Games whose end is not told, or not as the moves say.
    pub no_result: u64,
}

impl DataCounts {
    /// Games that are not learnt from, each reason by its name.
    #[must_use]
    pub fn dropped(&self) -> [(&'static str, u64); 5] {
        [
            ("time forfeit", self.time_forfeits),
            ("crash", self.crashes),
            ("illegal move or declaration", self.illegal),
            ("unfinished", self.unfinished),
            ("no result by the rules", self.no_result),
        ]
    }
}

impl AddAssign for DataCounts {
    fn add_assign(&mut self, other: Self) {
        let Self {
            records,
            rows,
            rows_without_policy,
            rows_without_value,
            rows_left_over,
            bad,
            time_forfeits,
            crashes,
            illegal,
            unfinished,
            no_result,
        } = other;
        self.records += records;
        self.rows += rows;
        self.rows_without_policy += rows_without_policy;
        self.rows_without_value += rows_without_value;
        self.rows_left_over += rows_left_over;
        self.bad += bad;
        self.time_forfeits += time_forfeits;
        self.crashes += crashes;
        self.illegal += illegal;
        self.unfinished += unfinished;
        self.no_result += no_result;
    }
}
