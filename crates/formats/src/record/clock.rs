//! Time controls.

use crate::text::{seconds, seconds_text};

/// The time that a side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time for the whole game, in milliseconds.
    pub main_ms: u64,
    /// Byoyomi (秒読み): time for each move once the rest is used up, in milliseconds.
    pub byoyomi_ms: u64,
    /// Time added with each move, in milliseconds.
    pub increment_ms: u64,
}

impl Clock {
    /// Reads `600+30+0`: seconds for the game, byoyomi and increment, as in CSA V3.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('+').map(|part| seconds(part.trim()));
        let clock = Self {
            main_ms: parts.next()??,
            byoyomi_ms: parts.next()??,
            increment_ms: parts.next()??,
        };
        parts.next().is_none().then_some(clock)
    }
}

impl std::fmt::Display for Clock {
    /// Writes what [`parse`](Self::parse) reads.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [main, byoyomi, increment] =
            [self.main_ms, self.byoyomi_ms, self.increment_ms].map(seconds_text);
        write!(f, "{main}+{byoyomi}+{increment}")
    }
}
