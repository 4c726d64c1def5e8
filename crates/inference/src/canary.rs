use keiko_encoding::EncodingId;

use crate::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket};

/// What a right answer to the batch of a [`Canary`] is; else what is wrong with it.
pub type Judge = Box<dyn Fn(&ResponseBatch) -> Result<(), String> + Send>;

/// A backend that is asked, now and then, for something whose answer is known: a device that computes wrongly does
/// so without a word.
pub struct Canary<B> {
    inner: B,
    question: Option<RequestBatch>,
    judge: Judge,
    every: u64,
    batches: u64,
}

impl<B: Backend> Canary<B> {
    /// Asks at once, and again after every `every` batches, which is 1 or more.
    ///
    /// # Errors
    /// [`BackendError::Wrong`] if the first answer is wrong already.
    pub fn new(
        inner: B,
        question: RequestBatch,
        judge: Judge,
        every: u64,
    ) -> Result<Self, BackendError> {
        let mut canary = Self { inner, question: Some(question), judge, every, batches: 0 };
        canary.ask()?;
        Ok(canary)
    }

    fn ask(&mut self) -> Result<(), BackendError> {
        let Some(question) = self.question.take() else { return Ok(()) };
        let response = self.inner.evaluate(question)?;
        (self.judge)(&response).map_err(|problem| BackendError::Wrong {
            backend: self.inner.name(),
            batches: self.batches,
            problem,
        })?;
        self.question = Some(response.into_request());
        Ok(())
    }
}

impl<B: Backend> Backend for Canary<B> {
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
        self.batches += 1;
        if self.batches.is_multiple_of(self.every) {
            self.ask()?;
        }
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.inner.collect(ticket)
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        self.inner.next_done(tickets)
    }
}

impl<B> std::fmt::Debug for Canary<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Canary").field("every", &self.every).finish_non_exhaustive()
    }
}
