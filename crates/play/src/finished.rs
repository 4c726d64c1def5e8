use keiko_mcts::RootSummary;
use keiko_shogi::{Game, GameEnd, Move};

/// A game that reached its end.
#[derive(Debug)]
pub struct FinishedGame<S> {
    /// How it ended.
    pub end: GameEnd,
    /// The final position with the full history, including moves that were there at the start.
    pub game: Game,
    /// The moves that were searched, in order: the last ones of `game`.
    pub plies: Vec<PlyTrace>,
    /// What the director attached to the game.
    pub state: S,
}

/// One searched move.
#[derive(Debug, Clone)]
pub struct PlyTrace {
    /// The move that was played.
    pub mv: Move,
    /// The player that searched it: an index into the group's players.
    pub player: usize,
    /// What the search found at the position before the move.
    pub summary: RootSummary,
}
