use std::ops::ControlFlow;

use keiko_inference::{Backend, Context, RequestBatch};
use keiko_mcts::{Evaluation, LeafId, RootSummary, Search, SearchLimit, Selection};
use keiko_shogi::Move;

use crate::PlayError;

/// How [`think()`] searches.
#[derive(Debug, Clone, Copy)]
pub struct ThinkSettings {
    /// When the search is done by itself.
    pub limit: SearchLimit,
    /// The most leaves in one batch.
    pub leaves: usize,
    /// What the encoding needs beside the game.
    pub context: Context,
}

/// How far a search has come.
#[derive(Debug)]
pub struct Thinking<'a> {
    search: &'a Search,
    evaluations: u64,
}

impl Thinking<'_> {
    /// Positions that the backend has evaluated since the search began.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// What the search has found so far.
    #[must_use]
    pub fn summary(&self) -> RootSummary {
        self.search.summary()
    }

    /// The line that the search expects after a move of the root, that move first.
    #[must_use]
    pub fn variation(&self, first: Move) -> Vec<Move> {
        self.search.variation(first)
    }
}

/// Searches the position that `search` stands at, with several leaves in each batch.
///
/// `watch` is called after every batch. It sees how far the search has come and may end it; it is the place
/// for clocks, stop commands and progress reports, of which this function knows nothing. At least one batch is
/// always evaluated, so that there is a best move.
///
/// # Errors
/// When the backend fails or answers nonsense.
pub fn think<B: Backend + ?Sized>(
    search: &mut Search,
    backend: &mut B,
    settings: &ThinkSettings,
    mut watch: impl FnMut(&Thinking<'_>) -> ControlFlow<()>,
) -> Result<RootSummary, PlayError> {
    search.begin(settings.limit)?;
    let mut batch = RequestBatch::new(backend.encoding(), settings.leaves);
    let mut leaves: Vec<LeafId> = Vec::with_capacity(settings.leaves);
    let mut evaluations = 0;
    loop {
        while !batch.is_full() {
            match search.select() {
                Selection::Leaf(leaf) => {
                    batch.push(leaf.game, leaf.moves, &settings.context);
                    leaves.push(leaf.id);
                }
                Selection::Wait | Selection::Done => break,
            }
        }
        if batch.is_empty() {
            return Ok(search.summary());
        }
        evaluations += leaves.len() as u64;
        batch.trim();
        let response = backend.evaluate(batch)?;
        for (row, leaf) in leaves.drain(..).enumerate() {
            let wdl = response.wdl()[row];
            search.apply(leaf, &Evaluation { logits: response.logits_of(row), wdl })?;
        }
        batch = response.into_request();
        batch.clear();
        if watch(&Thinking { search, evaluations }).is_break() {
            return Ok(search.summary());
        }
    }
}
