/// The time both sides are given. All three parts may be combined; what is 0 does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// Time for the whole game, in milliseconds.
    pub main_ms: u64,
    /// Time for each move once the main time is used up, in milliseconds.
    pub byoyomi_ms: u64,
    /// Time that is added to the main time after each move (Fischer), in milliseconds.
    pub increment_ms: u64,
}

/// What one side has left at the start of its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Remaining {
    /// Main time left, in milliseconds.
    pub main_ms: u64,
    /// Byoyomi of every move, in milliseconds.
    pub byoyomi_ms: u64,
    /// What each move adds to the main time, in milliseconds.
    pub increment_ms: u64,
}

impl Remaining {
    /// The longest that this move may take without losing on time, in milliseconds.
    #[must_use]
    pub fn longest_ms(self) -> u64 {
        self.main_ms.saturating_add(self.byoyomi_ms)
    }
}
