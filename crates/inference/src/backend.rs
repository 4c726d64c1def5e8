use keiko_encoding::EncodingId;

use crate::{BackendError, RequestBatch, ResponseBatch, Ticket};

/// What computes policy logits and win/draw/loss probabilities for packed positions.
///
/// A backend belongs to one thread at a time. The law every backend keeps: a row's answer is a function of
/// the row, its labels and the batch's shape, and of nothing else, neither its place nor its neighbours.
pub trait Backend: Send {
    /// The encoding of the rows that this backend reads.
    fn encoding(&self) -> EncodingId;

    /// What this backend is, for people and logs.
    fn name(&self) -> String;

    /// Whether it looks at the rows. Where it does not, [`RequestBatch::new_for`] packs none.
    fn reads_rows(&self) -> bool {
        true
    }

    /// Batches that it computes at the same time, 1 or more: so many are worth having out.
    fn batches_at_once(&self) -> usize {
        1
    }

    /// Hands over a batch. The backend may compute at once or later; [`collect`](Self::collect) waits.
    ///
    /// # Errors
    /// When the batch has another encoding or the device fails.
    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError>;

    /// Waits for a batch and returns its answers.
    ///
    /// # Errors
    /// When the ticket is unknown, the device failed, or the answers are not finite probabilities.
    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError>;

    /// Which of some batches that are out to collect next: waits until one is computed, and gives its place.
    ///
    /// # Panics
    /// When there are none.
    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        assert!(!tickets.is_empty(), "something is out");
        0
    }

    /// Submits a batch and waits for it.
    ///
    /// # Errors
    /// As [`submit`](Self::submit) and [`collect`](Self::collect).
    fn evaluate(&mut self, batch: RequestBatch) -> Result<ResponseBatch, BackendError> {
        let ticket = self.submit(batch)?;
        self.collect(ticket)
    }
}

impl<B: Backend + ?Sized> Backend for Box<B> {
    fn encoding(&self) -> EncodingId {
        (**self).encoding()
    }

    fn name(&self) -> String {
        (**self).name()
    }

    fn reads_rows(&self) -> bool {
        (**self).reads_rows()
    }

    fn batches_at_once(&self) -> usize {
        (**self).batches_at_once()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        (**self).submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        (**self).collect(ticket)
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        (**self).next_done(tickets)
    }
}
