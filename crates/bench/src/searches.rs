//! Searches without planes, batches and games: what the tree itself costs, and what of it each part.

use std::hint::black_box;

use keiko_encoding::EncodingId;
use keiko_inference::{Context, RequestBatch};
use keiko_mcts::{Evaluation, LeafId, Noise, Search, SearchLimit, SearchSettings, Selection, Wdl};
use keiko_shogi::{DrawValues, Game, Move, MoveList};

use crate::settings::SEARCH;
use crate::{Done, Inputs, median, thread_time};

/// Every which of the positions is searched.
const STEP: usize = 4;
/// Simulations of each search.
const SIMULATIONS: u32 = 16;
/// Searches that take turns.
const SEARCHES: usize = 32;

const EVEN: Wdl = Wdl { win: 0.5, draw: 0.0, loss: 0.5 };
const NO_LOGITS: [f32; 1024] = [0.0; 1024];

/// Searches a part of the positions.
pub(crate) fn select_apply(inputs: &mut Inputs) -> Done {
    let (mut result, mut units) = (0_u64, 0);
    for game in inputs.games.iter().step_by(STEP) {
        let mut search = begin(game, &SEARCH);
        while let Selection::Leaf(leaf) = search.select() {
            let (id, moves) = (leaf.id, leaf.moves.len());
            apply(&mut search, id, moves);
        }
        let summary = search.summary();
        result = result.rotate_left(7) ^ u64::from(summary.best.to_bits());
        units += u64::from(summary.simulations);
    }
    Done { result, units }
}

fn begin(game: &Game, settings: &SearchSettings) -> Search {
    let mut search = Search::new(game.clone(), settings, DrawValues::HALF, 1);
    search
        .begin(SearchLimit { simulations: SIMULATIONS, noise: Noise::On })
        .expect("the positions have legal moves");
    search
}

fn apply(search: &mut Search, leaf: LeafId, moves: usize) {
    let evaluation = Evaluation { logits: &NO_LOGITS[..moves], wdl: EVEN };
    search.apply(leaf, &evaluation).expect("the evaluation fits");
}

/// CPU time of a simulation by its parts, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Listing the legal moves of the leaf.
    pub generation: f64,
    /// Playing the moves to the leaf, with the look for repetition, and taking them back.
    pub make: f64,
    /// Packing the leaf's planes and labels into a batch.
    pub planes: f64,
    /// Choosing the way to the leaf, judging it by the rules, and making its node.
    pub select: f64,
    /// Turning the leaf's evaluation into priors.
    pub expand: f64,
    /// Adding the leaf's value along the way to the root. Measured on a tree that does not grow.
    pub backup: f64,
}

impl Budget {
    /// Measures each part alone; the median of `rounds` for each.
    ///
    /// # Panics
    /// If `rounds` is 0.
    #[must_use]
    pub fn measure(inputs: &Inputs, rounds: usize) -> Budget {
        assert!(rounds > 0, "rounds to take the median of");
        let mut all: [Vec<f64>; 6] = Default::default();
        for _ in 0..rounds {
            let whole = Phases::of(inputs, &SEARCH);
            let flat = Phases::of(inputs, &SearchSettings { max_nodes: 1, ..SEARCH });
            let leaves = whole.leaves.len() as f64;
            let per_leaf =
                |mut look: Box<dyn FnMut(&Game)>| whole.replay(inputs, &mut look) / leaves;
            let make = per_leaf(Box::new(|game| {
                black_box(game.end_with_moves());
            }));
            let mut moves = MoveList::new();
            let generation = per_leaf(Box::new(move |game| {
                black_box(game.end_with_moves());
                moves.clear();
                game.legal_moves(&mut moves);
                black_box(&moves);
            })) - make;
            let planes = per_leaf(pack(&whole)) - make;
            let select = whole.select / leaves - make - generation;
            let backup = flat.apply / flat.leaves.len() as f64;
            let expand = whole.apply / leaves - backup;
            for (all, part) in
                all.iter_mut().zip([generation, make, planes, select, expand, backup])
            {
                all.push(part);
            }
        }
        let [generation, make, planes, select, expand, backup] =
            all.map(|rounds| median(rounds).expect("rounds"));
        Budget { generation, make, planes, select, expand, backup }
    }
}

/// Packs the leaf that is looked at, with the moves it had.
fn pack(whole: &Phases) -> Box<dyn FnMut(&Game)> {
    let mut batch = RequestBatch::new(EncodingId::Dlshogi119, SEARCHES);
    let moves: Vec<Vec<Move>> = whole.leaves.iter().map(|leaf| leaf.moves.clone()).collect();
    let mut next = 0;
    Box::new(move |game| {
        black_box(game.end_with_moves());
        if batch.is_full() {
            batch.clear();
        }
        batch.push(game, &moves[next], &Context { draw_values: DrawValues::HALF });
        next += 1;
    })
}

/// The two halves of searches that take turns, in nanoseconds, and their leaves.
struct Phases {
    select: f64,
    apply: f64,
    leaves: Vec<PastLeaf>,
}

/// A leaf that was evaluated.
struct PastLeaf {
    /// Index of the root's position.
    root: usize,
    /// The moves from there.
    path: Vec<Move>,
    /// Its legal moves.
    moves: Vec<Move>,
}

impl Phases {
    fn of(inputs: &Inputs, settings: &SearchSettings) -> Phases {
        let mut phases = Phases { select: 0.0, apply: 0.0, leaves: Vec::new() };
        let roots: Vec<usize> = (0..inputs.games.len()).step_by(STEP).collect();
        for roots in roots.chunks(SEARCHES) {
            let mut searches: Vec<Search> =
                roots.iter().map(|&root| begin(&inputs.games[root], settings)).collect();
            while phases.turn(roots, &mut searches) {}
        }
        phases
    }

    /// Takes every search by one leaf further. False when none goes on.
    fn turn(&mut self, roots: &[usize], searches: &mut [Search]) -> bool {
        let mut found = Vec::with_capacity(searches.len());
        let start = thread_time();
        for (index, search) in searches.iter_mut().enumerate() {
            if let Selection::Leaf(leaf) = search.select() {
                found.push((index, leaf.id));
            }
        }
        self.select += (thread_time() - start) as f64;
        let mut counts = Vec::with_capacity(found.len());
        for &(index, _) in &found {
            let mut moves = MoveList::new();
            let game = searches[index].game();
            game.legal_moves(&mut moves);
            counts.push(moves.len());
            let (root, path) = (roots[index], game.moves().to_vec());
            self.leaves.push(PastLeaf { root, path, moves: moves.to_vec() });
        }
        let start = thread_time();
        for (&(index, leaf), &moves) in found.iter().zip(&counts) {
            apply(&mut searches[index], leaf, moves);
        }
        self.apply += (thread_time() - start) as f64;
        !found.is_empty()
    }

    /// Goes to every leaf again and looks at it, in nanoseconds.
    fn replay(&self, inputs: &Inputs, look: &mut dyn FnMut(&Game)) -> f64 {
        let mut games: Vec<Game> = inputs.games.clone();
        let start = thread_time();
        for PastLeaf { root, path, .. } in &self.leaves {
            let game = &mut games[*root];
            for &mv in path {
                game.play(mv);
            }
            look(game);
            for _ in path {
                game.undo();
            }
        }
        (thread_time() - start) as f64
    }
}
