use keiko_inference::{Backend, BackendError, EncodingId, RequestBatch, ResponseBatch, Ticket};

/// A backend whose policy is flattened (temperature above 1) or sharpened (below 1).
pub(super) struct Tempered<'a> {
    pub(super) inner: &'a mut dyn Backend,
    /// Divides every logit; above 0.
    pub(super) temperature: f32,
}

impl Backend for Tempered<'_> {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn reads_rows(&self) -> bool {
        self.inner.reads_rows()
    }

    fn batches_at_once(&self) -> usize {
        self.inner.batches_at_once()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let response = self.inner.collect(ticket)?;
        let logits = response.logits().iter().map(|logit| logit / self.temperature).collect();
        let wdl = response.wdl().to_vec();
        ResponseBatch::new(response.into_request(), logits, wdl)
    }
}
