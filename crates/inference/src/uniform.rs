use keiko_encoding::EncodingId;
use keiko_mcts::Wdl;

use crate::{Backend, BackendError, Finished, RequestBatch, ResponseBatch, Ticket};

/// The backend that knows nothing: every legal move has the same logit, 0, and win, draw and loss are
/// one third each.
///
/// Its cost is next to nothing, so it measures everything but the network. A third each is the prior of
/// largest entropy over results; with a draw worth one half it scores one half for both sides.
#[derive(Debug)]
pub struct Uniform {
    encoding: EncodingId,
    finished: Finished,
}

impl Uniform {
    /// A uniform backend for rows of `encoding`, whose bytes it does not read.
    #[must_use]
    pub fn new(encoding: EncodingId) -> Self {
        Self { encoding, finished: Finished::default() }
    }
}

impl Backend for Uniform {
    fn encoding(&self) -> EncodingId {
        self.encoding
    }

    fn name(&self) -> String {
        "uniform".to_owned()
    }

    fn reads_rows(&self) -> bool {
        false
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        batch.require(self.encoding)?;
        let logits = vec![0.0; batch.labels().len()];
        let third = 1.0 / 3.0;
        let wdl = vec![Wdl { win: third, draw: third, loss: third }; batch.len()];
        Ok(self.finished.put(ResponseBatch::new(batch, logits, wdl)?))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.finished.take(ticket)
    }
}
