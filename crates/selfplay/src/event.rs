/// Work done by a generation so far, in this call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games that ended.
    pub games: u64,
    /// Moves played in all games, those in flight included.
    pub plies: u64,
    /// Positions that the backends computed, padding not counted.
    pub evaluations: u64,
    /// Batches that the backends computed.
    pub batches: u64,
}

/// Something that a person watching a generation may want to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The counts have grown. Comes a few times a second.
    Progress(Progress),
    /// A shard is published.
    Shard {
        /// Number of the shard in its stream, from 0.
        number: u64,
        /// Games in it.
        games: u64,
        /// Plies in it.
        plies: u64,
    },
}
