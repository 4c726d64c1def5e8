//! A backend that is measured between two batches of whoever uses it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use keiko_bench::{median, process_time, thread_time};
use keiko_encoding::EncodingId;
use keiko_inference::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket};

/// Looks at the backend in one run.
const LOOKS: usize = 15;

/// What is shared with the user of a [`Metered`] backend.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter {
    /// Set once there is enough: the user may stop.
    pub(super) is_done: Arc<AtomicBool>,
    shares: Arc<Mutex<Vec<f64>>>,
}

impl Meter {
    /// The user's rate as a share of the backend's own: the median of all looks.
    pub(super) fn share(&self) -> Option<f64> {
        median(self.shares.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn add(&self, share: f64) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.push(share);
        if shares.len() == LOOKS {
            self.is_done.store(true, Ordering::Relaxed);
        }
    }
}

/// Every so many batches it computes full ones of the same size for itself, and compares the CPU time of an
/// evaluation with what the whole process has used for one since the last look.
pub(super) struct Metered {
    inner: Box<dyn Backend>,
    meter: Meter,
    /// Rows of a full batch.
    rows: usize,
    /// Batches between two looks.
    batches: u64,
    seen: Option<Seen>,
}

/// What was used since the last look.
struct Seen {
    since: u64,
    batches: u64,
    evaluations: u64,
    /// What an evaluation of its own took just before.
    raw: f64,
}

impl Metered {
    pub(super) fn new(inner: Box<dyn Backend>, meter: Meter, rows: usize, batches: u64) -> Self {
        Self { inner, meter, rows, batches, seen: None }
    }

    /// The CPU time of an evaluation in full batches of rows like those of `sample`, in nanoseconds.
    fn raw(&mut self, sample: &RequestBatch) -> Result<f64, BackendError> {
        let mut full = RequestBatch::new(sample.encoding(), self.rows);
        for row in (0..sample.len()).cycle().take(self.rows) {
            full.push_row(sample.row(row), sample.labels_of(row));
        }
        full = self.inner.evaluate(full)?.into_request();
        let start = thread_time();
        for _ in 0..self.batches {
            full = self.inner.evaluate(full)?.into_request();
        }
        Ok((thread_time() - start) as f64 / (self.batches * self.rows as u64) as f64)
    }

    fn look(&mut self, sample: &RequestBatch) -> Result<(), BackendError> {
        let now = process_time();
        let raw = self.raw(sample)?;
        if let Some(Seen { since, evaluations, raw: before, .. }) = self.seen {
            // The mean of before and after, as a machine's speed drifts.
            let raw = before.midpoint(raw);
            self.meter.add(raw * evaluations as f64 / (now - since) as f64);
        }
        self.seen = Some(Seen { since: process_time(), batches: 0, evaluations: 0, raw });
        Ok(())
    }
}

impl Backend for Metered {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        if self.seen.as_ref().is_none_or(|seen| seen.batches == self.batches) {
            self.look(&batch)?;
        }
        if let Some(seen) = &mut self.seen {
            seen.batches += 1;
            seen.evaluations += batch.len() as u64;
        }
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.inner.collect(ticket)
    }
}

/// A backend whose evaluations are counted.
pub(super) struct Counted {
    pub(super) inner: Box<dyn Backend>,
    pub(super) evaluations: Arc<AtomicU64>,
}

impl Backend for Counted {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn batches_at_once(&self) -> usize {
        self.inner.batches_at_once()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        self.inner.submit(batch)
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        self.inner.next_done(tickets)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let response = self.inner.collect(ticket)?;
        self.evaluations.fetch_add(response.request().len() as u64, Ordering::Relaxed);
        Ok(response)
    }
}
