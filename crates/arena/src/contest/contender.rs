use keiko_mcts::{GumbelSettings, PuctSettings, Rescale, RootKind, SearchSettings};

use crate::reference::Reference;

/// One side of a contest.
#[derive(Debug, Clone, Copy)]
pub enum Contender {
    /// Plays the best move of a search with its evaluator.
    Search(SearchSettings),
    /// Plays by a rule of thumb. Its evaluator may know nothing.
    Reference(Reference),
}

impl Contender {
    /// The least search there is.
    pub(crate) const NO_SEARCH: SearchSettings = SearchSettings {
        root: RootKind::Gumbel,
        mate_in_one: false,
        mate_in_three_nodes: 0,
        root_mate_nodes: 0,
        declaration: false,
        reuse_subtree: false,
        max_nodes: 1000,
        gumbel: GumbelSettings {
            max_considered: 1,
            c_visit: 50.0,
            c_scale: 1.0,
            scale: 0.0,
            rescale: Rescale::None,
        },
        puct: PuctSettings {
            c_init: 1.25,
            c_base: 19652.0,
            fpu_reduction: 0.0,
            root_c_init: 1.25,
            root_c_base: 19652.0,
            root_fpu_reduction: 0.0,
            dirichlet_alpha: 0.15,
            dirichlet_fraction: 0.0,
            policy_temperature: 1.0,
        },
    };

    /// How its positions are searched.
    pub(crate) fn search(&self) -> SearchSettings {
        match self {
            Contender::Search(search) => *search,
            Contender::Reference(_) => Contender::NO_SEARCH,
        }
    }

    /// How far: a reference player's search is one evaluation that nobody reads.
    pub(super) fn simulations(&self, simulations: u32) -> u32 {
        match self {
            Contender::Search(_) => simulations,
            Contender::Reference(_) => 1,
        }
    }
}
