use std::collections::BTreeMap;

use crate::{BackendError, ResponseBatch, Ticket};

/// The computed and not yet collected batches of a backend that computes on submission.
#[derive(Debug, Default)]
pub struct Finished {
    next: u64,
    done: BTreeMap<u64, ResponseBatch>,
}

impl Finished {
    /// Keeps a computed batch and gives the ticket for it.
    pub fn put(&mut self, response: ResponseBatch) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        self.done.insert(ticket.0, response);
        ticket
    }

    /// Takes the batch of a ticket out.
    ///
    /// # Errors
    /// When the ticket was never given or is already taken.
    pub fn take(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.done.remove(&ticket.0).ok_or(BackendError::UnknownTicket(ticket.0))
    }
}
