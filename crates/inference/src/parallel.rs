#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{self, AssertUnwindSafe};
#[cfg(not(test))]
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    sync::{Arc, Mutex},
    thread,
};

use keiko_encoding::EncodingId;
// The same under a scheduler that tries many orders.
#[cfg(test)]
use shuttle::{
    sync::mpsc::{Receiver, Sender, channel},
    sync::{Arc, Mutex},
    thread,
};

use crate::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket};

/// Several backends of one function, each on a thread of its own, that compute as many batches at a time.
///
/// A batch goes to the first backend that has nothing to do. One more batch may be out than there are backends: it waits for
/// the next that is free, which so never waits for the one who fills batches. The answers are those of one backend alone.
#[derive(Debug)]
pub struct Parallel {
    encoding: EncodingId,
    name: String,
    reads_rows: bool,
    lanes: usize,
    jobs: Sender<Job>,
    next: u64,
    answers: Receiver<(Ticket, Answer)>,
    /// The batches that are out.
    out: BTreeSet<Ticket>,
    /// The batches that are computed and not yet collected.
    done: BTreeMap<Ticket, Answer>,
}

type Answer = Result<ResponseBatch, BackendError>;
type Job = (Ticket, RequestBatch);

impl Parallel {
    /// Gives each backend its thread. The threads end when this is dropped and what they compute is done.
    ///
    /// # Panics
    /// When there is no backend, or the system has no thread left.
    #[must_use]
    pub fn new(backends: Vec<Box<dyn Backend>>) -> Self {
        let first = backends.first().expect("there is a backend");
        let (encoding, name, reads_rows) = (first.encoding(), first.name(), first.reads_rows());
        let (sender, answers) = channel();
        let (jobs, received) = channel();
        let (lanes, received) = (backends.len(), Arc::new(Mutex::new(received)));
        for backend in backends {
            let (received, sender) = (Arc::clone(&received), sender.clone());
            thread::spawn(move || compute(backend, &received, &sender));
        }
        let (out, done) = (BTreeSet::new(), BTreeMap::new());
        Self { encoding, name, reads_rows, lanes, jobs, next: 0, answers, out, done }
    }

    fn stopped(&self) -> BackendError {
        BackendError::Compute { backend: self.name.clone(), source: "its thread has ended".into() }
    }

    /// Waits for one more answer.
    fn receive(&mut self) -> Result<(), BackendError> {
        let (ticket, answer) = self.answers.recv().map_err(|_| self.stopped())?;
        if self.out.remove(&ticket) {
            self.done.insert(ticket, answer);
        }
        Ok(())
    }
}

/// What a lane does until no batch can come any more.
fn compute(
    mut backend: Box<dyn Backend>,
    jobs: &Mutex<Receiver<Job>>,
    answers: &Sender<(Ticket, Answer)>,
) {
    loop {
        // Nothing panics while the lock is held.
        let Ok(received) = jobs.lock() else { return };
        let job = received.recv();
        drop(received);
        let Ok((ticket, request)) = job else { return };
        // A panic must not leave those who wait without an answer.
        let answer = panic::catch_unwind(AssertUnwindSafe(|| backend.evaluate(request)))
            .unwrap_or_else(|_| Err(panicked(&*backend)));
        // Nobody waits any more when the search was given up.
        let _ = answers.send((ticket, answer));
    }
}

fn panicked(backend: &dyn Backend) -> BackendError {
    BackendError::Compute { backend: backend.name(), source: "its thread panicked".into() }
}

impl Backend for Parallel {
    fn encoding(&self) -> EncodingId {
        self.encoding
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn reads_rows(&self) -> bool {
        self.reads_rows
    }

    fn batches_at_once(&self) -> usize {
        if self.lanes > 1 { self.lanes + 1 } else { 1 }
    }

    fn submit(&mut self, request: RequestBatch) -> Result<Ticket, BackendError> {
        request.require(self.encoding)?;
        let ticket = Ticket(self.next);
        self.jobs.send((ticket, request)).map_err(|_| self.stopped())?;
        self.out.insert(ticket);
        self.next += 1;
        Ok(ticket)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        while self.out.contains(&ticket) {
            self.receive()?;
        }
        self.done.remove(&ticket).ok_or(BackendError::UnknownTicket(ticket.0))?
    }

    fn next_done(&mut self, tickets: &[Ticket]) -> usize {
        loop {
            if let Some(place) = tickets.iter().position(|ticket| self.done.contains_key(ticket)) {
                return place;
            }
            // Collecting one that will not come says why.
            if !tickets.iter().any(|ticket| self.out.contains(ticket)) || self.receive().is_err() {
                return 0;
            }
        }
    }
}
