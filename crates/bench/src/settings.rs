//! How the searches of this crate search.

use keiko_mcts::{GumbelSettings, SearchSettings};

/// A Gumbel root over 8 moves and no looks for mates: a demonstration run without its mates.
pub(crate) const SEARCH: SearchSettings = SearchSettings {
    declaration: true,
    max_nodes: 20_000,
    gumbel: GumbelSettings { max_considered: 8, ..GumbelSettings::PAPER },
    ..SearchSettings::BARE
};
