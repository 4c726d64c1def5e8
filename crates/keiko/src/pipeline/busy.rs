//! For how long a device evaluates.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use keiko_inference::{Backend, BackendError, EncodingId, RequestBatch, ResponseBatch, Ticket};

/// For how long a device evaluated, as far as it shows without asking it; clones count for the same device.
///
/// Spans that overlap, those of several backends on one device, count once: no time is longer than the clock's.
#[derive(Clone, Debug, Default)]
pub(super) struct Busy {
    spans: Arc<Mutex<Spans>>,
}

/// Times in which a device evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BusyTime {
    /// Time in which somebody waited for answers: in it the device surely computed.
    pub(super) least: Duration,
    /// Time in which a batch was out, from its submission until its answers were taken. A device that had them ready
    /// before computed for less.
    pub(super) most: Duration,
}

#[derive(Debug, Default)]
struct Spans {
    waited: Union,
    out: Union,
}

/// The union of spans of time, some of which may not have ended.
#[derive(Debug, Default)]
struct Union {
    /// Spans that have not ended.
    open: u32,
    /// When the oldest of them began, or took over from those before.
    since: Option<Instant>,
    /// All time before.
    past: Duration,
}

impl Union {
    fn begin(&mut self, now: Instant) {
        self.open += 1;
        self.since.get_or_insert(now);
    }

    fn end(&mut self, now: Instant) {
        self.open -= 1;
        if self.open == 0 {
            self.past = self.sum(now);
            self.since = None;
        }
    }

    fn sum(&self, now: Instant) -> Duration {
        self.past + self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }
}

impl Busy {
    /// The times until now.
    pub(super) fn time(&self) -> BusyTime {
        self.at_once(|spans, now| BusyTime {
            least: spans.waited.sum(now),
            most: spans.out.sum(now),
        })
    }

    fn at_once<T>(&self, change: impl FnOnce(&mut Spans, Instant) -> T) -> T {
        let mut spans: MutexGuard<'_, Spans> =
            self.spans.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut spans, Instant::now())
    }
}

/// When a backend computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// In the call that submits a batch, as a processor does.
    WhenSubmitted,
    /// By itself, after that call, as a GPU does.
    Later,
}

/// A backend that counts for how long it evaluates. It reads the clock twice a call and waits for nothing.
#[derive(Debug)]
pub(super) struct Timed<B> {
    inner: B,
    busy: Busy,
    answers: Answers,
    /// Batches of [`Answers::Later`] that are out.
    out: u32,
}

impl<B: Backend> Timed<B> {
    /// Counts in `busy` the times of `inner`, which computes at these times.
    pub(super) fn new(inner: B, busy: Busy, answers: Answers) -> Self {
        Self { inner, busy, answers, out: 0 }
    }
}

impl<B: Backend> Backend for Timed<B> {
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
        let computes = self.answers == Answers::WhenSubmitted;
        self.busy.at_once(|spans, now| {
            spans.out.begin(now);
            if computes {
                spans.waited.begin(now);
            }
        });
        let submitted = self.inner.submit(batch);
        self.busy.at_once(|spans, now| {
            if computes {
                spans.waited.end(now);
            }
            if computes || submitted.is_err() {
                spans.out.end(now);
            } else {
                self.out += 1;
            }
        });
        submitted
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        if self.answers == Answers::WhenSubmitted {
            return self.inner.collect(ticket);
        }
        self.busy.at_once(|spans, now| spans.waited.begin(now));
        let collected = self.inner.collect(ticket);
        self.busy.at_once(|spans, now| {
            spans.waited.end(now);
            if self.out > 0 {
                self.out -= 1;
                spans.out.end(now);
            }
        });
        collected
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        self.inner.next_done(tickets)
    }
}

impl<B> Drop for Timed<B> {
    fn drop(&mut self) {
        let out = std::mem::take(&mut self.out);
        self.busy.at_once(|spans, now| (0..out).for_each(|_| spans.out.end(now)));
    }
}

#[cfg(test)]
mod tests {
    use keiko_inference::Uniform;

    use super::*;

    #[test]
    fn spans_that_overlap_count_once() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut union = Union::default();
        assert_eq!(union.sum(at(9)), Duration::ZERO);
        union.begin(at(1));
        union.begin(at(2));
        assert_eq!(union.sum(at(4)), Duration::from_secs(3));
        union.end(at(5));
        union.end(at(6));
        assert_eq!(union.sum(at(100)), Duration::from_secs(5));
        union.begin(at(200));
        union.end(at(202));
        assert_eq!(union.sum(at(300)), Duration::from_secs(7));
    }

    /// Whether the longer of the times goes on: with the clock, or not at all.
    fn goes_on(busy: &Busy) -> bool {
        let (before, clock) = (busy.time().most, Instant::now());
        while clock.elapsed() < Duration::from_micros(10) {}
        busy.time().most > before
    }

    fn batch() -> RequestBatch {
        RequestBatch::new(EncodingId::Dlshogi57, 16)
    }

    #[test]
    fn a_device_is_busy_while_a_batch_is_out_whoever_has_it() {
        let busy = Busy::default();
        let inner = || Uniform::new(EncodingId::Dlshogi57);
        let timed = || Timed::new(inner(), busy.clone(), Answers::Later);
        let (mut first, mut second) = (timed(), timed());
        assert!(!goes_on(&busy));
        let one = first.submit(batch()).expect("a ticket");
        let other = second.submit(batch()).expect("a ticket");
        assert!(goes_on(&busy));
        first.collect(one).expect("answers");
        assert!(goes_on(&busy), "the other one's is out");
        second.collect(other).expect("answers");
        assert!(!goes_on(&busy));
        assert!(first.collect(one).is_err() && !goes_on(&busy));
        let wrong = RequestBatch::new(EncodingId::Keiko1, 16);
        assert!(first.submit(wrong).is_err() && !goes_on(&busy));
        first.submit(batch()).expect("a ticket");
        drop(first);
        assert!(!goes_on(&busy), "nobody will take what was out");
        let BusyTime { least, most } = busy.time();
        assert!(Duration::ZERO < least && least < most, "{least:?} {most:?}");
    }

    #[test]
    fn a_processor_is_busy_in_the_call_alone() {
        let busy = Busy::default();
        let inner = Uniform::new(EncodingId::Dlshogi57);
        let mut timed = Timed::new(inner, busy.clone(), Answers::WhenSubmitted);
        let ticket = timed.submit(batch()).expect("a ticket");
        assert!(!goes_on(&busy));
        timed.collect(ticket).expect("answers");
        let BusyTime { least, most } = busy.time();
        assert!(Duration::ZERO < least && least == most, "{least:?} {most:?}");
    }
}
