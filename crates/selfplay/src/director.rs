mod game_state;
mod indices;

pub(crate) use game_state::GameState;
pub(crate) use indices::Indices;

use std::collections::BTreeSet;

use keiko_mcts::{Noise, RootSummary, SearchLimit};
use keiko_play::{Decision, Director, FinishedGame, NewGame, Next, Turn};
use keiko_replay::{SearchKind, seed};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::allowance::Permission;
use crate::choose;
use crate::generate::Generation;
use crate::settings::OpeningChoice;

/// Plays the games of one group of a generation.
#[derive(Debug)]
pub(crate) struct GameDirector<'a> {
    generation: &'a Generation<'a>,
    indices: Indices,
    in_play: BTreeSet<u64>,
    finished: Vec<FinishedGame<GameState>>,
}

impl<'a> GameDirector<'a> {
    pub(crate) fn new(generation: &'a Generation<'a>, indices: Indices) -> Self {
        Self { generation, indices, in_play: BTreeSet::new(), finished: Vec::new() }
    }

    /// The lowest index of this group whose game is not finished.
    pub(crate) fn first_unfinished(&self) -> Option<u64> {
        self.in_play.first().copied().or_else(|| self.indices.peek())
    }

    /// Takes out the games that have ended.
    pub(crate) fn take_finished(&mut self) -> Vec<FinishedGame<GameState>> {
        std::mem::take(&mut self.finished)
    }
}

impl Director for GameDirector<'_> {
    type State = GameState;

    fn next_game(&mut self) -> Next<GameState> {
        let Some(index) = self.indices.peek() else {
            return Next::Never;
        };
        let settings = self.generation.settings;
        let first = self.first_unfinished().unwrap_or(index);
        if index - first >= u64::from(settings.max_ahead_games) {
            return Next::Later;
        }
        match self.generation.allowance.map(|allowance| allowance.begin(index)) {
            None | Some(Permission::Now) => {}
            Some(Permission::Later) => return Next::Later,
            Some(Permission::Never) => return Next::Never,
        }
        self.indices.advance();
        self.in_play.insert(index);
        let purpose = format!("selfplay {}", self.generation.stream);
        let seed = seed::derive(self.generation.run_seed, &purpose, index);
        let Generation { sources, rules, .. } = *self.generation;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed::derive(seed, "start", 0));
        let start = sources.draw(&settings.starts, rules, &mut rng);
        let (state, game) = GameState::begin(index, seed, settings, start);
        Next::Game(Box::new(NewGame {
            game,
            seats: [0, 0],
            search_seeds: [seed::derive(seed, "search", 0); 2],
            draw_values: self.generation.draw_values,
            state,
        }))
    }

    fn limit(&mut self, state: &mut GameState, turn: Turn<'_>) -> SearchLimit {
        let settings = self.generation.settings;
        state.watch.see(turn.game);
        let opening = settings.opening.choice == OpeningChoice::Policy
            && turn.searched_plies < state.opening_plies;
        let (kind, simulations, noise) = if opening {
            (SearchKind::None, 0, Noise::Off)
        } else if state.rng.random::<f32>() < settings.fast.probability {
            (SearchKind::Fast, settings.fast.simulations, Noise::Off)
        } else {
            (SearchKind::Full, settings.simulations, Noise::On)
        };
        state.searches.push(kind);
        SearchLimit { simulations, noise }
    }

    fn decide(&mut self, state: &mut GameState, turn: Turn<'_>, summary: &RootSummary) -> Decision {
        let settings = self.generation.settings;
        if state.searches.last() == Some(&SearchKind::None) {
            let temperature = settings.opening.temperature;
            return Decision::Play(choose::from_prior(summary, temperature, &mut state.rng));
        }
        let turns = settings.resignation.turns;
        if state.resigns(turn, summary.wdl, &self.generation.thresholds, turns) {
            return Decision::Resign;
        }
        let temperature = settings.temperature.at(turn.game.ply());
        Decision::Play(choose::from_search(summary, temperature, &mut state.rng))
    }

    fn finished(&mut self, game: FinishedGame<GameState>) {
        self.in_play.remove(&game.state.index);
        self.finished.push(game);
    }
}
