use keiko_mcts::SearchSettings;

/// One way of choosing moves: a backend and how its evaluations are searched.
#[derive(Debug, Clone)]
pub struct Player {
    /// Which of the backends handed to [`Group::step`](crate::Group::step) evaluates, from 0.
    pub backend: usize,
    /// How to search.
    pub search: SearchSettings,
}
