use keiko_mcts::{Noise, RootSummary, SearchLimit};
use keiko_play::{Decision, Director, FinishedGame, NewGame, Next, Turn};
use keiko_shogi::Game;

use crate::DRAWS;

/// Plays a list of games, each with its number as its seed, and keeps what became of them.
pub(crate) struct List {
    pub(crate) start: Game,
    pub(crate) seats: [usize; 2],
    pub(crate) next: u64,
    pub(crate) games: u64,
    pub(crate) simulations: u32,
    pub(crate) decide: fn(Turn<'_>, &RootSummary) -> Decision,
    pub(crate) finished: Vec<FinishedGame<u64>>,
}

impl List {
    pub(crate) fn new(start: Game, games: u64) -> Self {
        Self {
            start,
            seats: [0, 0],
            next: 0,
            games,
            simulations: 4,
            decide: |_, summary| Decision::Play(summary.best),
            finished: Vec::new(),
        }
    }

    /// Moves and end of every finished game, by number.
    pub(crate) fn games(&self) -> Vec<(u64, String)> {
        let text = |game: &FinishedGame<u64>| {
            let moves: Vec<String> = game.game.moves().iter().map(ToString::to_string).collect();
            format!("{} {}", moves.join(" "), game.end.reason.name())
        };
        let mut games: Vec<_> = self.finished.iter().map(|game| (game.state, text(game))).collect();
        games.sort_unstable();
        games
    }
}

impl Director for List {
    type State = u64;

    fn next_game(&mut self) -> Next<u64> {
        if self.next == self.games {
            return Next::Never;
        }
        let number = self.next;
        self.next += 1;
        Next::Game(Box::new(NewGame {
            game: self.start.clone(),
            seats: self.seats,
            search_seeds: [number, number + 1_000],
            draw_values: DRAWS,
            state: number,
        }))
    }

    fn limit(&mut self, _: &mut u64, _: Turn<'_>) -> SearchLimit {
        SearchLimit { simulations: self.simulations, noise: Noise::On }
    }

    fn decide(&mut self, _: &mut u64, turn: Turn<'_>, summary: &RootSummary) -> Decision {
        (self.decide)(turn, summary)
    }

    fn finished(&mut self, game: FinishedGame<u64>) {
        self.finished.push(game);
    }
}
