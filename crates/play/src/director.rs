use keiko_mcts::{RootSummary, SearchLimit};
use keiko_shogi::{Color, DrawValues, Game, Move};

use crate::FinishedGame;

/// Decides what a [`Group`](crate::Group) plays.
///
/// A director's answers must depend on the game alone, or the same seed will not give the same games.
pub trait Director {
    /// What the director keeps for each game: its number, its random stream.
    type State;

    /// Is asked once in each step for every free slot.
    fn next_game(&mut self) -> Next<Self::State>;

    /// How far to search the position of this turn.
    fn limit(&mut self, state: &mut Self::State, turn: Turn<'_>) -> SearchLimit;

    /// What to do once the position is searched.
    fn decide(
        &mut self,
        state: &mut Self::State,
        turn: Turn<'_>,
        summary: &RootSummary,
    ) -> Decision;

    /// Receives a game that has ended.
    fn finished(&mut self, game: FinishedGame<Self::State>);
}

/// A position in which a player is to move.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// The player to move: an index into the group's players.
    pub player: usize,
    /// Searched moves so far: the moves that were there at the start do not count.
    pub searched_plies: u32,
}

impl Turn<'_> {
    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        self.game.position().side_to_move()
    }
}

/// What becomes of a free slot.
#[derive(Debug)]
pub enum Next<S> {
    /// A game begins.
    Game(Box<NewGame<S>>),
    /// There will be more games, but the slot stays free in this step.
    Later,
    /// There will be no more games.
    Never,
}

/// A game to play.
#[derive(Debug)]
pub struct NewGame<S> {
    /// The start, with its history if it has one.
    pub game: Game,
    /// The player of each colour, by [`Color::index`]: indices into the group's players. A player that has
    /// both sides searches them with one tree.
    pub seats: [usize; 2],
    /// Seeds of the searches, by colour. Where one player has both sides the first is used.
    pub search_seeds: [u64; 2],
    /// What draws are worth.
    pub draw_values: DrawValues,
    /// Kept with the game.
    pub state: S,
}

/// What the side to move does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Plays a legal move.
    Play(Move),
    /// Gives up.
    Resign,
}
