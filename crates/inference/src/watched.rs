use std::sync::Arc;

use keiko_encoding::EncodingId;

use crate::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket, Watchdog};

/// A backend whose evaluations a [`Watchdog`] knows of while they are out.
#[derive(Debug)]
pub struct Watched<B> {
    inner: B,
    watchdog: Watchdog,
    what: Arc<str>,
}

impl<B: Backend> Watched<B> {
    /// Tells `watchdog` of what `inner` computes.
    pub fn new(inner: B, watchdog: Watchdog) -> Self {
        let what = format!("an evaluation by {}", inner.name()).into();
        Self { inner, watchdog, what }
    }
}

impl<B: Backend> Backend for Watched<B> {
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
        let _call = self.watchdog.enter(Arc::clone(&self.what));
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let _call = self.watchdog.enter(Arc::clone(&self.what));
        self.inner.collect(ticket)
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        let _call = self.watchdog.enter(Arc::clone(&self.what));
        self.inner.next_done(tickets)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::Uniform;

    /// A device that says when it is asked, and answers when it is let.
    struct Hanging {
        inner: Uniform,
        asked: Sender<()>,
        answer: Receiver<()>,
    }

    impl Backend for Hanging {
        fn encoding(&self) -> EncodingId {
            self.inner.encoding()
        }

        fn name(&self) -> String {
            "hanging".to_owned()
        }

        fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
            self.inner.submit(batch)
        }

        fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
            self.asked.send(()).expect("the test listens");
            self.answer.recv().expect("the test answers");
            self.inner.collect(ticket)
        }
    }

    #[test]
    fn an_evaluation_that_hangs_is_seen_until_it_comes_back() {
        let ((asked, was_asked), (let_answer, answer)) = (channel(), channel());
        let inner = Uniform::new(EncodingId::Dlshogi119);
        let watchdog = Watchdog::default();
        let mut backend = Watched::new(Hanging { inner, asked, answer }, watchdog.clone());
        let device = thread::spawn(move || {
            for _ in 0..2 {
                backend.evaluate(RequestBatch::new(backend.encoding(), 16)).expect("an answer");
            }
        });
        for _ in 0..2 {
            was_asked.recv().expect("a question");
            let minute = Duration::from_secs(60);
            assert_eq!(watchdog.pass(minute).expect("a call").lasted, minute);
            let longest = watchdog.pass(minute).expect("a call");
            assert_eq!(longest.what, "an evaluation by hanging");
            assert_eq!(longest.lasted, 2 * minute);
            let_answer.send(()).expect("the device waits");
        }
        device.join().expect("an end");
        assert_eq!(watchdog.pass(Duration::from_secs(60)), None);
    }
}
