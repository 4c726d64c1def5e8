mod advance;
mod apply;
mod backup;
mod judge;
mod select;
mod summary;
#[cfg(test)]
mod tests;

use keiko_shogi::{DrawValues, Game, MoveList};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::draws::Draws;
use crate::outstanding::Outstanding;
use crate::puct::Puct;
use crate::root_selector::RootSelector;
use crate::run::Run;
use crate::totals::Totals;
use crate::tree::{Step, Tree};
use crate::{BeginError, Noise, Proof, SearchLimit, SearchSettings};

/// The root's node, once there is one.
const ROOT: u32 = 0;

/// A game and the tree of one search at a time from its current position.
///
/// A search is driven from outside: [`begin`](Search::begin), then [`select`](Search::select) and
/// [`apply`](Search::apply) until it is done, then [`summary`](Search::summary) and
/// [`advance`](Search::advance) with the move that was played. With one outstanding leaf at a time
/// this is the plain sequential algorithm; with more, each counts as a lost visit on its path until
/// it is applied.
#[derive(Clone, Debug)]
pub struct Search {
    settings: SearchSettings,
    draws: Draws,
    /// At the root, except between a selected leaf and the next call.
    game: Game,
    /// Moves that the game is ahead of the root.
    walked: usize,
    tree: Tree,
    /// Visits of the root, its own evaluation included, for the side to move there.
    totals: Totals,
    interior: Puct,
    /// The stream of the next search.
    rng: Xoshiro256PlusPlus,
    run: Option<Run>,
    outstanding: Outstanding,
    /// Edges that are blocked only because all edges behind them are.
    blocked: Vec<Step>,
    path: Vec<Step>,
    moves: MoveList,
}

impl Search {
    /// A search over a game from its current position. `draw_values` say what each kind of draw is
    /// worth; `seed` starts the stream of all noise of this search.
    #[must_use]
    pub fn new(game: Game, settings: &SearchSettings, draw_values: DrawValues, seed: u64) -> Self {
        Self {
            settings: *settings,
            draws: Draws::new(draw_values),
            game,
            walked: 0,
            tree: Tree::new(settings.max_nodes),
            totals: Totals::default(),
            interior: Puct::interior(&settings.puct),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            run: None,
            outstanding: Outstanding::default(),
            blocked: Vec::new(),
            path: Vec::new(),
            moves: MoveList::new(),
        }
    }

    /// The game at the root. While a selected leaf is the last thing that happened, the moves to
    /// that leaf are played on it.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Positions that the tree holds.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Starts a search of the current position; what the tree knows of it is used. Outstanding
    /// leaves of an earlier search are cancelled. Whether the game is over for another reason than a
    /// lack of moves is not looked at.
    ///
    /// # Errors
    /// Refuses a position without legal moves.
    pub fn begin(&mut self, limit: SearchLimit) -> Result<(), BeginError> {
        self.cancel_all();
        self.generate_moves();
        if self.moves.is_empty() {
            return Err(BeginError::NoLegalMove);
        }
        let rng = self.rng.clone();
        self.rng.jump();
        self.run = Some(Run { limit, rng, started: 0, applied: 0, selector: None });
        if self.has_root() {
            self.prepare_root();
        } else {
            self.tree.clear();
        }
        Ok(())
    }

    /// Whether the root is evaluated.
    fn has_root(&self) -> bool {
        self.tree.len() > 0 && self.tree.node(ROOT).wdl.is_some()
    }

    /// Gives every move of the evaluated root an edge and the search its selector.
    fn prepare_root(&mut self) {
        while self.tree.next_prior(ROOT).is_some() {
            self.tree.try_next(ROOT);
        }
        self.tree.reset_priors(ROOT);
        if let Some(slot) = self.winning_slot() {
            let step = Step { node: ROOT, slot };
            if self.tree.edge(step).proof.is_none() {
                self.tree.prove(step, Proof::Win, 1.0);
            }
        }
        let Some(run) = self.run.as_mut() else { return };
        let noise = (run.limit.noise == Noise::On).then_some(&mut run.rng);
        let edges = self.tree.edges_mut(ROOT);
        run.selector = Some(RootSelector::new(&self.settings, edges, run.limit.simulations, noise));
    }

    /// The move of the root that ends the game at once with a win, as far as the settings look.
    fn winning_slot(&self) -> Option<u16> {
        let position = self.game.position();
        let tried = self.settings.declaration.then(|| self.game.try_move()).flatten();
        let mate = || self.settings.mate_in_one.then(|| position.mate_in_one()).flatten();
        let winning = tried.or_else(mate)?;
        let slot = self.tree.moves(ROOT).iter().position(|&mv| mv == winning)?;
        Some(slot as u16)
    }

    /// The evaluator's score of the root.
    fn raw_root_score(&self) -> f32 {
        let draw_value = self.draws.foreseen(self.game.position().side_to_move());
        self.tree.node(ROOT).wdl.map_or(0.5, |wdl| wdl.score(draw_value))
    }

    /// Puts the legal moves of the position that the game stands at in `self.moves`.
    fn generate_moves(&mut self) {
        self.moves.clear();
        self.game.legal_moves(&mut self.moves);
    }

    /// Takes the game back to the root.
    fn walk_back(&mut self) {
        for _ in 0..self.walked {
            self.game.undo();
        }
        self.walked = 0;
    }
}
