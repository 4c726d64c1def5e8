use keiko_shogi::Move;

/// What a [`MateSolver`](crate::MateSolver) found out about the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// It mates by checks alone, against every defence.
    Mate {
        /// A line of this mate in which the defence holds out longest, up to the mate. It has the
        /// length of the shortest mate if the nodes sufficed for the search for a shorter one.
        line: Vec<Move>,
    },
    /// There is no mate by checks alone, of any length.
    NoMate,
    /// The limits did not suffice.
    Unknown,
}
