//! Where start positions come from.

/// The source of a game's start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartSource {
    /// The standard start position.
    Standard,
    /// A handicap's start position.
    Handicap,
    /// A line of the opening book.
    Opening {
        /// The line's number in its file, or the position's in a file of packed positions; from 1.
        line: u32,
    },
    /// A shuffled start position.
    Shuffled {
        /// Its number in the shuffle's own order.
        number: u32,
    },
    /// A position of an earlier game. The record begins where that game began: its moves up to the position
    /// are plies without a search, so that repetition is judged over the full history.
    Branch {
        /// That game's stream.
        stream: String,
        /// That game's number in the stream.
        index: u64,
        /// Plies played there before the position.
        ply: u16,
    },
    /// As `Branch`, from a position shortly before the end of a game that was won.
    BeforeEnd {
        /// That game's stream.
        stream: String,
        /// That game's number in the stream.
        index: u64,
        /// Plies played there before the position.
        ply: u16,
    },
}

impl StartSource {
    /// Its name, as in the settings of self-play: `book`, `fork`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            StartSource::Standard => "standard",
            StartSource::Handicap => "handicap",
            StartSource::Opening { .. } => "book",
            StartSource::Shuffled { .. } => "shuffled",
            StartSource::Branch { .. } => "fork",
            StartSource::BeforeEnd { .. } => "before_end",
        }
    }

    /// Stream and number of the game whose moves the record begins with, if there is one.
    #[must_use]
    pub fn earlier_game(&self) -> Option<(&str, u64)> {
        match self {
            StartSource::Branch { stream, index, .. }
            | StartSource::BeforeEnd { stream, index, .. } => Some((stream, *index)),
            _ => None,
        }
    }
}
