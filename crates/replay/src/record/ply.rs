//! One move of a game record.

use keiko_shogi::Move;

use crate::policy::StoredPolicy;
use crate::wdl::StoredWdl;

/// A move and what the search before it saw. Values are for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRecord {
    /// The move played.
    pub mv: Move,
    /// Index into [`GameRecord::models`](super::GameRecord::models) of the model that searched it.
    pub model: u16,
    /// How it was searched.
    pub search: SearchKind,
    /// The model's own value of the position.
    pub raw_wdl: StoredWdl,
    /// The search's value of the position.
    pub root_wdl: StoredWdl,
    /// Visits of the root; 0 if and only if the ply was not searched.
    pub root_visits: u32,
    /// The policy to learn; never empty after a full search, always empty without a search.
    pub policy: StoredPolicy,
    /// The model's own policy over the legal moves, or empty.
    pub raw_policy: StoredPolicy,
}

/// How a ply was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// Not at all: the move of a random opening.
    None,
    /// With a small budget: its policy is no target, its value may be one.
    Fast,
    /// With the full budget: policy and value are targets.
    Full,
}
