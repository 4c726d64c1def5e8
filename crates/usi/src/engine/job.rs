use std::path::PathBuf;
use std::sync::Arc;

use keiko_mcts::{SearchLimit, SearchSettings};
use keiko_shogi::{DrawValues, Game, Move};

use super::ModelRequest;
use super::control::Control;
use super::mate_thread::MateSettings;
use super::report::ReportSettings;

/// What the search thread is asked to do.
#[derive(Debug)]
pub(super) enum Job {
    Load(LoadJob),
    Search(Box<SearchJob>),
}

/// What to load; what is `None` stays.
#[derive(Debug)]
pub(super) struct LoadJob {
    pub(super) model: Option<ModelRequest>,
    pub(super) book: Option<PathBuf>,
}

/// One search.
#[derive(Debug)]
pub(super) struct SearchJob {
    /// Names the search in reports.
    pub(super) id: u64,
    /// The position to search, with its history; the side to move has a legal move.
    pub(super) game: Game,
    pub(super) settings: SearchSettings,
    pub(super) draw_values: DrawValues,
    pub(super) limit: SearchLimit,
    /// Whether the answer may depend on nothing but the position and the limit: then the search for a mate has a limit too,
    /// both run to their limits, and only then the answer is made.
    pub(super) is_fixed: bool,
    /// How to look for a mate meanwhile.
    pub(super) mate: Option<MateSettings>,
    /// Positions evaluated at a time.
    pub(super) batch_size: usize,
    /// Plies of the principal variation at which to end.
    pub(super) depth: Option<u32>,
    /// The only moves to search, all legal; empty means all moves.
    pub(super) searchmoves: Vec<Move>,
    /// Whether to begin without the last search's tree.
    pub(super) forget: bool,
    pub(super) report: ReportSettings,
    pub(super) control: Arc<Control>,
    /// Temperature of the policy, above 0.
    pub(super) temperature: f32,
}
