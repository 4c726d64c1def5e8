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
    /// Simulations that are expected at first, if not those of the limit; see [`Thinking::plan`].
    pub plan: Option<u32>,
    /// The most leaves in one batch.
    pub leaves: usize,
    /// What the encoding needs beside the game.
    pub context: Context,
}

/// How far a search has come.
#[derive(Debug)]
pub struct Thinking<'a> {
    search: &'a mut Search,
    evaluations: u64,
}

impl Thinking<'_> {
    /// Positions that the backend has evaluated since the search began.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Simulations that the search has selected since it began.
    #[must_use]
    pub fn simulations(&self) -> u32 {
        self.search.started()
    }

    /// What the search has found so far.
    #[must_use]
    pub fn summary(&self) -> RootSummary {
        self.search.summary()
    }

    /// Expects another number of simulations in all; see [`Search::plan`] and [`Pace`](crate::Pace).
    pub fn plan(&mut self, simulations: u32) {
        self.search.plan(simulations);
    }

    /// The line that the search expects after a move of the root, that move first.
    #[must_use]
    pub fn variation(&self, first: Move) -> Vec<Move> {
        self.search.variation(first)
    }
}

/// Searches the position that `search` stands at, with several leaves in each batch and as many batches out as the
/// backend computes at a time.
///
/// `watch` is called after every batch. It sees how far the search has come and may end it; it is the place
/// for clocks, plans, stop commands and progress reports, of which this function knows nothing. At least one batch is
/// always evaluated, so that there is a best move; batches that are out when the search ends still count.
///
/// # Errors
/// When the backend fails or answers nonsense.
pub fn think<B: Backend + ?Sized>(
    search: &mut Search,
    backend: &mut B,
    settings: &ThinkSettings,
    mut watch: impl FnMut(&mut Thinking<'_>) -> ControlFlow<()>,
) -> Result<RootSummary, PlayError> {
    search.begin(settings.limit)?;
    if let Some(simulations) = settings.plan {
        search.plan(simulations);
    }
    let (mut tickets, mut out) = (Vec::new(), Vec::new());
    let mut spare = Vec::new();
    let (mut evaluations, mut is_over) = (0, false);
    loop {
        while !is_over && out.len() < backend.batches_at_once() {
            let Flight { mut batch, mut leaves } =
                spare.pop().unwrap_or_else(|| Flight::new(backend, settings));
            fill(search, &mut batch, &mut leaves, &settings.context);
            if batch.is_empty() {
                spare.push(Flight { batch, leaves });
                break;
            }
            batch.trim();
            tickets.push(backend.submit(batch)?);
            out.push(leaves);
        }
        if out.is_empty() {
            return Ok(search.summary());
        }
        // No evaluator waits for a slower one.
        let next = backend.next_done(&tickets);
        let mut leaves = out.remove(next);
        let response = backend.collect(tickets.remove(next))?;
        evaluations += leaves.len() as u64;
        for (row, leaf) in leaves.drain(..).enumerate() {
            let wdl = response.wdl()[row];
            search.apply(leaf, &Evaluation { logits: response.logits_of(row), wdl })?;
        }
        let mut batch = response.into_request();
        batch.clear();
        spare.push(Flight { batch, leaves });
        is_over |= watch(&mut Thinking { search, evaluations }).is_break();
    }
}

/// A batch and the leaves of its rows.
struct Flight {
    batch: RequestBatch,
    leaves: Vec<LeafId>,
}

impl Flight {
    fn new<B: Backend + ?Sized>(backend: &B, settings: &ThinkSettings) -> Self {
        let batch = RequestBatch::new_for(backend, settings.leaves);
        Self { batch, leaves: Vec::with_capacity(settings.leaves) }
    }
}

/// Selects leaves until the batch is full or the search has none at the moment.
fn fill(
    search: &mut Search,
    batch: &mut RequestBatch,
    leaves: &mut Vec<LeafId>,
    context: &Context,
) {
    while !batch.is_full() {
        let Selection::Leaf(leaf) = search.select() else { return };
        batch.push(leaf.game, leaf.moves, context);
        leaves.push(leaf.id);
    }
}
