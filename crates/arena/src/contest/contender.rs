use keiko_mcts::{GumbelSettings, SearchSettings};

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
        max_nodes: 1000,
        gumbel: GumbelSettings { max_considered: 1, ..GumbelSettings::PAPER },
        ..SearchSettings::BARE
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
