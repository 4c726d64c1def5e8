//! How the searches of this crate search.

use keiko_mcts::{GumbelSettings, PuctSettings, Rescale, RootKind, SearchSettings};

/// A Gumbel root over 8 moves and no looks for mates: a demonstration run without its mates.
pub(crate) const SEARCH: SearchSettings = SearchSettings {
    root: RootKind::Gumbel,
    mate_in_one: false,
    mate_in_three_nodes: 0,
    root_mate_nodes: 0,
    declaration: true,
    reuse_subtree: false,
    max_nodes: 20_000,
    gumbel: GumbelSettings {
        max_considered: 8,
        c_visit: 50.0,
        c_scale: 1.0,
        scale: 1.0,
        rescale: Rescale::None,
    },
    puct: PuctSettings {
        c_init: 1.25,
        c_base: 19652.0,
        fpu_reduction: 0.2,
        root_c_init: 1.25,
        root_c_base: 19652.0,
        root_fpu_reduction: 0.0,
        dirichlet_alpha: 0.15,
        dirichlet_fraction: 0.25,
        policy_temperature: 1.0,
    },
};
