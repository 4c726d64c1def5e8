use crossbeam::channel::{self, Receiver, Sender};
use keiko_inference::{
    Backend, BackendError, EncodingId, RequestBatch, ResponseBatch, Ticket, Uniform,
};

/// A backend that answers only when it is let: one message, one batch. Once the sender is gone it answers all.
pub(crate) struct Stubborn {
    inner: Uniform,
    permits: Receiver<()>,
}

impl Stubborn {
    /// The backend, with permits for the warm-up already given.
    pub(crate) fn new() -> (Stubborn, Sender<()>) {
        let (sender, permits) = channel::unbounded();
        sender.send(()).unwrap();
        sender.send(()).unwrap();
        (Stubborn { inner: Uniform::new(EncodingId::Dlshogi57), permits }, sender)
    }
}

impl Backend for Stubborn {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        "stubborn".to_owned()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let _ = self.permits.recv();
        self.inner.collect(ticket)
    }
}
