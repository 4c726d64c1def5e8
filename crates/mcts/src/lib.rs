//! Tree search that asks for evaluations and never makes them.
//!
//! A [`Search`] owns a game and one tree and is used by one thread. [`Search::select`] walks to a
//! leaf and hands it out; [`Search::apply`] takes its evaluation and backs it up. Batching, caching
//! and threads are the caller's: many games in lockstep with one leaf each, or one game with many
//! outstanding leaves.
//!
//! Decisions:
//! * Nodes, moves and edges live in flat arenas, indices are `u32`. A leaf stores its legal moves
//!   once; only tried moves get an edge, and a node's edges are contiguous.
//! * The root chooses by Gumbel sequential halving or by PUCT with Dirichlet noise; below it is PUCT.
//! * Values are [`Wdl`] for the side to move at their node, and beside them a score from 0 to 1 in
//!   which every draw has the worth of its kind. The scores of both sides sum to 1.
//! * Certain results (end of the game, declaration, mate in one) are found before an evaluation is
//!   asked for, and go up the tree as far as they prove. What was backed up stays; a proof replaces
//!   it where it is read.
//! * Mates in three are looked for at leaves too where the settings say so. Longer ones are looked for at the
//!   root only, by a [`MateSolver`] with a table of its own.
//! * All randomness comes from the seed; every search has a stream of its own.
//!
//! The crate does not know input planes, policy labels, batches, backends, threads, clocks or USI.
//!
//! ```
//! use keiko_mcts::{Evaluation, Noise, Search, SearchLimit, SearchSettings, Selection, Wdl};
//! use keiko_shogi::{DrawValues, Game, Rules};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = SearchSettings { mate_in_one: true, ..SearchSettings::BARE };
//! settings.validate()?;
//! let draw_values = DrawValues::HALF;
//! let mut search = Search::new(Game::startpos(Rules::STANDARD), &settings, draw_values, 1);
//! search.begin(SearchLimit { simulations: 32, noise: Noise::On })?;
//! while let Selection::Leaf(leaf) = search.select() {
//!     let (id, logits) = (leaf.id, vec![0.0; leaf.moves.len()]);
//!     search.apply(id, &Evaluation { logits: &logits, wdl: Wdl::DRAW })?;
//! }
//! let summary = search.summary();
//! assert_eq!(summary.simulations, 32);
//! search.advance(summary.best);
//! # Ok(())
//! # }
//! ```

mod apply_error;
mod begin_error;
mod draws;
mod early_stop;
mod evaluation;
mod gumbel;
mod halving;
mod hands;
mod lanes;
mod leaf;
mod leaf_id;
mod mate;
mod mate_in_three;
mod noise;
mod outstanding;
mod proof;
mod puct;
mod puct_root;
mod random;
mod root_move;
mod root_selector;
mod root_summary;
mod run;
mod search;
mod search_limit;
mod selection;
mod settings;
mod softmax;
mod spread;
mod totals;
mod tree;
mod value;
mod wdl;

pub use apply_error::ApplyError;
pub use begin_error::BeginError;
pub use evaluation::Evaluation;
pub use lanes::first_not_finite;
pub use leaf::Leaf;
pub use leaf_id::LeafId;
pub use mate::{MateAnswer, MateLimits, MateSolver};
pub use noise::Noise;
pub use proof::Proof;
pub use root_move::RootMove;
pub use root_summary::RootSummary;
pub use search::Search;
pub use search_limit::SearchLimit;
pub use selection::Selection;
pub use settings::{
    GumbelSettings, PuctSettings, Rescale, RootKind, SearchSettings, SettingsError, StopSettings,
};
pub use wdl::Wdl;
