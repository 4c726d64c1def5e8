//! A search in this process, as a player for the referee.

use std::fmt;
use std::ops::ControlFlow;

use keiko_inference::{Backend, Context};
use keiko_mcts::{Noise, Search, SearchLimit, SearchSettings};
use keiko_play::{ThinkSettings, think};
use keiko_shogi::{Color, DrawValues, Game, Outcome};
use keiko_usi::answer::Choice;
use keiko_usi::command::{GameResult, Go};

use crate::referee::{Player, PlayerFailure};

/// A net that plays the best move of a search of a fixed number of simulations, one leaf at a time. It does not
/// look at the clock and does not resign; where a declaration wins it declares.
pub struct SearchPlayer<B> {
    /// What it is called in results.
    pub name: String,
    /// The net.
    pub backend: B,
    /// How it searches.
    pub search: SearchSettings,
    /// Simulations a move.
    pub simulations: u32,
    /// What draws are worth to the search.
    pub draw_values: DrawValues,
}

impl<B: Backend> Player for SearchPlayer<B> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, _: &Game) -> Result<(), PlayerFailure> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &Go, _: u64) -> Result<Choice, PlayerFailure> {
        let side: Color = game.position().side_to_move();
        if game.can_declare() == Some(Outcome::win_for(side)) {
            return Ok(Choice::Win);
        }
        let mut search = Search::new(game.clone(), &self.search, self.draw_values, 0);
        let settings = ThinkSettings {
            limit: SearchLimit { simulations: self.simulations, noise: Noise::Off },
            leaves: 1,
            context: Context { draw_values: self.draw_values },
        };
        think(&mut search, &mut self.backend, &settings, |_| ControlFlow::Continue(()))
            .map(|summary| Choice::Move(summary.best))
            .map_err(|error| PlayerFailure::Broken(error.to_string()))
    }

    fn game_over(&mut self, _: GameResult) {}
}

impl<B> fmt::Debug for SearchPlayer<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPlayer").field("name", &self.name).finish_non_exhaustive()
    }
}
