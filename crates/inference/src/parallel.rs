use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use keiko_encoding::EncodingId;

use crate::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket};

/// Several backends of one function, each on a thread of its own, that compute as many batches at a time.
///
/// Batches go to the backends in turn, so that whoever collects them in the order of their submission waits for
/// none longer than it must. The answers are those of one backend alone.
#[derive(Debug)]
pub struct Parallel {
    encoding: EncodingId,
    name: String,
    reads_rows: bool,
    lanes: Vec<Sender<Job>>,
    next: u64,
    waiting: BTreeMap<u64, Receiver<Answer>>,
}

type Answer = Result<ResponseBatch, BackendError>;

/// A batch to compute and where its answer goes.
#[derive(Debug)]
struct Job {
    request: RequestBatch,
    answer: Sender<Answer>,
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
        let lanes = backends.into_iter().map(start).collect();
        Self { encoding, name, reads_rows, lanes, next: 0, waiting: BTreeMap::new() }
    }

    fn stopped(&self) -> BackendError {
        BackendError::Compute { backend: self.name.clone(), source: "its thread has ended".into() }
    }
}

fn start(mut backend: Box<dyn Backend>) -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    thread::spawn(move || {
        for Job { request, answer } in jobs {
            // Nobody waits any more when the search was given up.
            let _ = answer.send(backend.evaluate(request));
        }
    });
    sender
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
        let (answer, receiver) = channel();
        let lane = &self.lanes[(self.next % self.lanes.len() as u64) as usize];
        lane.send(Job { request, answer }).map_err(|_| self.stopped())?;
        self.next += 1;
        self.waiting.insert(ticket.0, receiver);
        Ok(ticket)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let receiver =
            self.waiting.remove(&ticket.0).ok_or(BackendError::UnknownTicket(ticket.0))?;
        receiver.recv().map_err(|_| self.stopped())?
    }
}
