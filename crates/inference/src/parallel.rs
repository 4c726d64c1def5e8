#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
#[cfg(not(test))]
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use keiko_encoding::EncodingId;
// The same under a scheduler that tries many orders.
#[cfg(test)]
use shuttle::{
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use crate::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket};

/// Several backends of one function, each on a thread of its own, that compute as many batches at a time.
///
/// A batch goes to the backend that has least to do. The answers are those of one backend alone.
#[derive(Debug)]
pub struct Parallel {
    encoding: EncodingId,
    name: String,
    reads_rows: bool,
    lanes: Vec<Lane>,
    next: u64,
    answers: Receiver<(Ticket, Answer)>,
    /// The batches that are out, and who computes them.
    out: BTreeMap<Ticket, usize>,
    /// The batches that are computed and not yet collected.
    done: BTreeMap<Ticket, Answer>,
}

type Answer = Result<ResponseBatch, BackendError>;

/// One of the backends.
#[derive(Debug)]
struct Lane {
    jobs: Sender<(Ticket, RequestBatch)>,
    /// Batches that it has yet to compute.
    waiting: usize,
}

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
        let lanes = backends.into_iter().map(|backend| Lane::start(backend, sender.clone()));
        let lanes = lanes.collect();
        let (out, done) = (BTreeMap::new(), BTreeMap::new());
        Self { encoding, name, reads_rows, lanes, next: 0, answers, out, done }
    }

    fn stopped(&self) -> BackendError {
        BackendError::Compute { backend: self.name.clone(), source: "its thread has ended".into() }
    }

    /// Waits for one more answer.
    fn receive(&mut self) -> Result<(), BackendError> {
        let (ticket, answer) = self.answers.recv().map_err(|_| self.stopped())?;
        if let Some(lane) = self.out.remove(&ticket) {
            self.lanes[lane].waiting -= 1;
            self.done.insert(ticket, answer);
        }
        Ok(())
    }
}

impl Lane {
    fn start(mut backend: Box<dyn Backend>, answers: Sender<(Ticket, Answer)>) -> Self {
        let (jobs, received) = channel::<(Ticket, RequestBatch)>();
        thread::spawn(move || {
            for (ticket, request) in received {
                // A panic must not leave those who wait without an answer.
                let answer = panic::catch_unwind(AssertUnwindSafe(|| backend.evaluate(request)))
                    .unwrap_or_else(|_| Err(panicked(&*backend)));
                // Nobody waits any more when the search was given up.
                let _ = answers.send((ticket, answer));
            }
        });
        Self { jobs, waiting: 0 }
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
        self.lanes.len()
    }

    fn submit(&mut self, request: RequestBatch) -> Result<Ticket, BackendError> {
        request.require(self.encoding)?;
        let ticket = Ticket(self.next);
        let place = (0..self.lanes.len()).min_by_key(|&lane| self.lanes[lane].waiting).unwrap_or(0);
        self.lanes[place].jobs.send((ticket, request)).map_err(|_| self.stopped())?;
        self.lanes[place].waiting += 1;
        self.out.insert(ticket, place);
        self.next += 1;
        Ok(ticket)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        while self.out.contains_key(&ticket) {
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
            if !tickets.iter().any(|ticket| self.out.contains_key(ticket))
                || self.receive().is_err()
            {
                return 0;
            }
        }
    }
}
