use std::fmt::Debug;

use keiko_shogi::Game;
use keiko_usi::answer::{Choice, Score};
use keiko_usi::command::{GameResult, Go};

use super::PlayerFailure;

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

    /// What the player thought of the position when it chose last, from its own side; none if it has no opinion.
    fn score(&self) -> Option<Score> {
        None
    }

    /// The game has ended, with this result for the player.
    fn game_over(&mut self, result: GameResult);
}
