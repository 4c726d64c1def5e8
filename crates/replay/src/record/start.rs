//! Where start positions come from.

/// The source of a game's start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartSource {
    /// The standard start position.
    Standard,
    /// A handicap's start position.
    Handicap,
    /// A line of the opening list.
    Opening {
        /// The line's number, from 1.
        line: u32,
    },
    /// A shuffled start position.
    Shuffled {
        /// Its number in the shuffle's own order.
        number: u32,
    },
    /// A position of an earlier game.
    Branch {
        /// That game's stream.
        stream: String,
        /// That game's number in the stream.
        index: u64,
        /// Plies played there before the position.
        ply: u16,
    },
}
