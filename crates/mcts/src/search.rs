mod advance;
mod apply;
mod backup;
mod judge;
mod select;
mod summary;
#[cfg(test)]
mod tests;

use keiko_shogi::{DrawValues, Game, Move, MoveList};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::draws::Draws;
use crate::early_stop::EarlyStop;
use crate::hands::Hands;
use crate::mate_in_three::MateInThree;
use crate::outstanding::Outstanding;
use crate::puct::Puct;
use crate::root_selector::RootSelector;
use crate::run::Run;
use crate::totals::Totals;
use crate::tree::{Step, Tree};
use crate::{
    BeginError, MateLimits, MateSolver, Noise, Proof, RootKind, SearchLimit, SearchSettings,
};

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
    /// Kept where the settings ask for superior repetitions; up to where the game stands.
    hands: Option<Hands>,
    path: Vec<Step>,
    moves: MoveList,
    /// Where mates in three are looked for at leaves.
    mates_in_three: Option<MateInThree>,
    /// Where mates are looked for at the root.
    mates: Option<Box<MateSolver>>,
}

impl Search {
    /// A search over a game from its current position. `draw_values` say what each kind of draw is
    /// worth; `seed` starts the stream of all noise of this search.
    #[must_use]
    pub fn new(game: Game, settings: &SearchSettings, draw_values: DrawValues, seed: u64) -> Self {
        Self {
            settings: *settings,
            draws: Draws::new(draw_values),
            hands: settings.superior_repetition.then(|| Hands::of(&game)),
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
            mates_in_three: mates_in_three(settings),
            mates: mate_solver(settings),
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

    /// Memory of the tree, in bytes; see [`SearchSettings::max_nodes`].
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
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
        self.run = Some(Run {
            limit,
            planned: limit.simulations,
            rng,
            started: 0,
            applied: 0,
            selector: None,
            early_stop: None,
        });
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
        if let Some(slot) = self.winning_move().and_then(|mv| self.root_slot(mv)) {
            let step = Step { node: ROOT, slot };
            if self.tree.edge(step).proof.is_none() {
                self.tree.prove(step, Proof::Win, 1.0);
            }
        }
        let Some(run) = self.run.as_mut() else { return };
        let noise = (run.limit.noise == Noise::On).then_some(&mut run.rng);
        let edges = self.tree.edges_mut(ROOT);
        run.early_stop = match self.settings.root {
            RootKind::Gumbel => None,
            RootKind::Puct => EarlyStop::new(&self.settings.stop, edges),
        };
        run.selector = Some(RootSelector::new(&self.settings, edges, run.planned, noise));
    }

    /// Simulations that this search has selected, applied or not.
    #[must_use]
    pub fn started(&self) -> u32 {
        self.run.as_ref().map_or(0, |run| run.started)
    }

    /// Expects another number of simulations in all, at any time of a search that has begun: a Gumbel root shares
    /// what is left of them among the halvings that are left. The limit stays. For searches that end by a clock, whose number of
    /// simulations becomes known as they go on; and where nothing is known, twice what was done so far
    /// narrows the choice to some moves and goes on with these.
    pub fn plan(&mut self, simulations: u32) {
        if let Some(run) = self.run.as_mut() {
            run.planned = simulations;
            if let Some(selector) = run.selector.as_mut() {
                selector.plan(simulations);
            }
        }
    }

    /// A move of the root that wins for certain, as far as the settings look.
    fn winning_move(&mut self) -> Option<Move> {
        let position = self.game.position();
        let tried = self.settings.declaration.then(|| self.game.try_move()).flatten();
        let mate = || self.settings.mate_in_one.then(|| position.mate_in_one()).flatten();
        tried.or_else(mate).or_else(|| self.mating_move())
    }

    /// The first move of a mate by checks, unless nothing is to be searched.
    fn mating_move(&mut self) -> Option<Move> {
        let known = self.tree.node(ROOT).proof.is_some();
        if known || self.run.as_ref().is_none_or(|run| run.limit.simulations == 0) {
            return None;
        }
        let nodes = u64::from(self.settings.root_mate_nodes);
        let limits = MateLimits { nodes, plies: MateLimits::MAX_PLIES };
        self.mates.as_mut()?.first_move(&mut self.game, limits)
    }

    fn root_slot(&self, mv: Move) -> Option<u16> {
        let slot = self.tree.moves(ROOT).iter().position(|&candidate| candidate == mv)?;
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
        if let Some(hands) = &mut self.hands {
            hands.undo(self.walked);
        }
        self.walked = 0;
    }
}

fn mates_in_three(settings: &SearchSettings) -> Option<MateInThree> {
    let nodes = settings.mate_in_three_nodes;
    (nodes > 0).then(|| MateInThree::new(nodes))
}

/// Entries of the largest table of a root's mate search.
const MAX_MATE_ENTRIES: u32 = 1 << 20;

fn mate_solver(settings: &SearchSettings) -> Option<Box<MateSolver>> {
    let entries = settings.root_mate_nodes.min(MAX_MATE_ENTRIES);
    (entries > 0).then(|| Box::new(MateSolver::new(entries as usize)))
}
