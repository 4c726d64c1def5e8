//! A search in this process, as a player for the referee.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use keiko_formats::win_rate;
use keiko_inference::{Backend, Context};
use keiko_mcts::{Noise, Search, SearchLimit, SearchSettings};
use keiko_play::{Pace, ThinkSettings, TimeBudget, TimeSettings, think};
use keiko_shogi::{Color, DrawValues, Game, Outcome};
use keiko_usi::answer::{Choice, Score};
use keiko_usi::command::{GameResult, Go};
use keiko_usi::engine::with_sources;

use crate::referee::{Fault, Player, PlayerFailure};

/// A net that plays the best move of a search: of a fixed number of simulations, or of the time it is given. It does not
/// resign; where a declaration wins it declares.
pub struct SearchPlayer<B> {
    name: String,
    backend: B,
    settings: SearchPlayerSettings,
    interrupt: Arc<AtomicBool>,
    score: Option<Score>,
    /// The tree of the game, and how many moves of the game it has seen.
    tree: Option<(Search, usize)>,
    /// How fast searches by time are.
    pace: Pace,
}

/// How a [`SearchPlayer`] plays.
#[derive(Debug, Clone, Copy)]
pub struct SearchPlayerSettings {
    /// How it searches.
    pub search: SearchSettings,
    /// Simulations a move where `go` sets no limit.
    pub simulations: u32,
    /// Positions it evaluates at once, at least 1. More of them make a search of the same size a little weaker and much
    /// faster.
    pub leaves: usize,
    /// What draws are worth to the search.
    pub draw_values: DrawValues,
}

/// How the time is divided. The margin is small: there is no pipe between this player and the referee.
const TIME: TimeSettings = TimeSettings { margin_ms: 20, minimum_ms: 10, horizon_moves: 60 };

/// More simulations than any time allows.
const NO_LIMIT: u32 = 100_000_000;

impl<B> SearchPlayer<B> {
    /// A player of this name in results. A search ends at once when `interrupt` is raised.
    pub fn new(
        name: String,
        backend: B,
        settings: SearchPlayerSettings,
        interrupt: Arc<AtomicBool>,
    ) -> SearchPlayer<B> {
        SearchPlayer {
            name,
            backend,
            settings,
            interrupt,
            score: None,
            tree: None,
            pace: Pace::default(),
        }
    }

    /// The tree for the position of a game: that of the last search, if the game has gone on from there.
    fn tree(&mut self, game: &Game) -> Search {
        let SearchPlayerSettings { search, draw_values, .. } = self.settings;
        match self.tree.take().filter(|(_, seen)| *seen <= game.moves().len()) {
            Some((mut tree, seen)) => {
                game.moves()[seen..].iter().for_each(|&mv| tree.advance(mv));
                tree
            }
            None => Search::new(game.clone(), &search, draw_values, 0),
        }
    }

    /// Simulations and time for a move.
    fn limits(&self, game: &Game, go: &Go) -> (u32, Option<Duration>) {
        if let Some(nodes) = go.nodes {
            return (u32::try_from(nodes).unwrap_or(u32::MAX), None);
        }
        let side: Color = game.position().side_to_move();
        let ms = if let Some(ms) = go.movetime_ms {
            ms.saturating_sub(TIME.margin_ms)
        } else if go.times.is_empty() {
            return (self.settings.simulations, None);
        } else {
            TimeBudget::allot(go.times.remaining(side), game.ply(), &TIME).optimum_ms
        };
        let time = Duration::from_millis(ms);
        (NO_LIMIT, Some(time))
    }
}

impl<B: Backend> Player for SearchPlayer<B> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, _: &Game) -> Result<(), PlayerFailure> {
        self.tree = None;
        Ok(())
    }

    fn choose(&mut self, game: &Game, go: &Go, _: u64) -> Result<Choice, PlayerFailure> {
        let side: Color = game.position().side_to_move();
        if game.can_declare() == Some(Outcome::win_for(side)) {
            return Ok(Choice::Win);
        }
        let started = Instant::now();
        let (simulations, time) = self.limits(game, go);
        let mut search = self.tree(game);
        let settings = ThinkSettings {
            limit: SearchLimit { simulations, noise: Noise::Off },
            plan: time.map(|time| self.pace.simulations(0, Duration::ZERO, time)),
            leaves: self.settings.leaves.max(1),
            context: Context { draw_values: self.settings.draw_values },
        };
        let interrupt = Arc::clone(&self.interrupt);
        let pace = self.pace;
        let summary = think(&mut search, &mut self.backend, &settings, |thinking| {
            let elapsed = started.elapsed();
            let left = time.map(|time| time.saturating_sub(elapsed));
            if let Some(left) = left {
                thinking.plan(pace.simulations(thinking.simulations(), elapsed, left));
            }
            let over = left.is_some_and(|left| left.is_zero());
            if over || interrupt.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if interrupt.load(Ordering::Relaxed) {
            return Err(PlayerFailure::new(Fault::Interrupted, "the search was interrupted"));
        }
        let summary =
            summary.map_err(|error| PlayerFailure::new(Fault::Crash, with_sources(&error)))?;
        self.pace.note(summary.simulations, started.elapsed());
        self.tree = Some((search, game.moves().len()));
        self.score = Some(Score::Centipawns(win_rate::centipawns(f64::from(summary.score))));
        Ok(Choice::Move(summary.best))
    }

    fn score(&self) -> Option<Score> {
        self.score
    }

    fn game_over(&mut self, _: GameResult) {}
}

impl<B> fmt::Debug for SearchPlayer<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchPlayer").field("name", &self.name).finish_non_exhaustive()
    }
}
