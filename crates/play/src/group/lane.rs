use keiko_inference::{Backend, BackendError, Context, RequestBatch, Ticket};
use keiko_mcts::{ApplyError, Evaluation, LeafId};
use keiko_shogi::{Game, Move};

use crate::PlayError;

/// Who asked for a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    pub(super) slot: usize,
    pub(super) leaf: LeafId,
}

/// The leaves of one step that go to one backend, in slot order.
#[derive(Debug)]
pub(super) struct Lane {
    /// What every batch is a copy of.
    empty: RequestBatch,
    batches: Vec<RequestBatch>,
    /// The owners of the rows of all batches, one after another.
    owners: Vec<Owner>,
    tickets: Vec<Ticket>,
    spare: Vec<RequestBatch>,
}

impl Lane {
    pub(super) fn new<B: Backend>(backend: &B, shape: usize) -> Self {
        Self {
            empty: RequestBatch::new_for(backend, shape),
            batches: Vec::new(),
            owners: Vec::new(),
            tickets: Vec::new(),
            spare: Vec::new(),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.owners.len()
    }

    pub(super) fn push(&mut self, game: &Game, moves: &[Move], context: &Context, owner: Owner) {
        if self.batches.last().is_none_or(RequestBatch::is_full) {
            let empty = self.spare.pop();
            self.batches.push(empty.unwrap_or_else(|| self.empty.clone()));
        }
        if let Some(batch) = self.batches.last_mut() {
            batch.push(game, moves, context);
            self.owners.push(owner);
        }
    }

    /// Sends all batches off and returns how many there were.
    pub(super) fn submit<B: Backend>(&mut self, backend: &mut B) -> Result<usize, BackendError> {
        for batch in self.batches.drain(..) {
            self.tickets.push(backend.submit(batch)?);
        }
        Ok(self.tickets.len())
    }

    /// Waits for all batches and hands each answer to its owner.
    pub(super) fn collect<B: Backend>(
        &mut self,
        backend: &mut B,
        mut deliver: impl FnMut(Owner, &Evaluation<'_>) -> Result<(), ApplyError>,
    ) -> Result<(), PlayError> {
        let mut owners = self.owners.drain(..);
        for ticket in self.tickets.drain(..) {
            let response = backend.collect(ticket)?;
            for (row, owner) in (0..response.request().len()).zip(&mut owners) {
                let evaluation =
                    Evaluation { logits: response.logits_of(row), wdl: response.wdl()[row] };
                deliver(owner, &evaluation)?;
            }
            let mut request = response.into_request();
            request.clear();
            self.spare.push(request);
        }
        Ok(())
    }
}
