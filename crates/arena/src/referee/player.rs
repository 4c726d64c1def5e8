use std::fmt::Debug;

use keiko_shogi::Game;
use keiko_usi::answer::Choice;
use keiko_usi::command::{GameResult, Go};
use thiserror::Error;

/// Anything that chooses moves: a program behind a pipe, a search, a rule of thumb.
pub trait Player: Debug {
    /// What the player is called in results.
    fn name(&self) -> String;

    /// A game begins at `game`'s position under its rules.
    ///
    /// # Errors
    /// The player cannot play.
    fn new_game(&mut self, game: &Game) -> Result<(), PlayerFailure>;

    /// Chooses for the side to move. `go` is what a USI engine is told; after `patience_ms` milliseconds the answer is
    /// of no use any more.
    ///
    /// # Errors
    /// The player does not answer.
    fn choose(&mut self, game: &Game, go: &Go, patience_ms: u64) -> Result<Choice, PlayerFailure>;

    /// The game has ended, with this result for the player.
    fn game_over(&mut self, result: GameResult);
}

/// Why a player lost without a position to show for it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayerFailure {
    /// It thought too long.
    #[error("no answer within {allowed_ms} ms")]
    Late {
        /// The time it had, in milliseconds.
        allowed_ms: u64,
    },
    /// It ended, closed its pipe, or never became ready.
    #[error("{0}")]
    Broken(String),
}
