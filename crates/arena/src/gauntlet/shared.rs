//! One evaluator for the games of many threads.

use std::thread;

use crossbeam::channel::{self, Receiver, Sender};
use keiko_encoding::EncodingId;
use keiko_inference::{Backend, BackendError, Finished, RequestBatch, ResponseBatch, Ticket};

/// A handle on an evaluator in a thread of its own, which computes whatever has come in while it was at work as one
/// batch. The thread ends with the last handle.
///
/// Unlike the batches of lockstep games these depend on when games ask, and a net's last digits on the size of its
/// batch: games against programs are not repeatable to the digit in any case.
pub(super) struct Shared {
    jobs: Sender<Job>,
    encoding: EncodingId,
    name: String,
    finished: Finished,
}

/// What one game asks.
struct Job {
    request: RequestBatch,
    answer: Sender<Result<ResponseBatch, String>>,
}

/// Rows of a joint batch at most.
const MAX_ROWS: usize = 256;

impl Shared {
    /// Gives `backend` a thread of its own.
    pub(super) fn new(backend: Box<dyn Backend>) -> Shared {
        let (encoding, name) = (backend.encoding(), backend.name());
        let (jobs, to_do) = channel::unbounded();
        thread::spawn(move || serve(backend, &to_do));
        Shared { jobs, encoding, name, finished: Finished::default() }
    }

    /// Another handle.
    pub(super) fn handle(&self) -> Shared {
        Shared {
            jobs: self.jobs.clone(),
            encoding: self.encoding,
            name: self.name.clone(),
            finished: Finished::default(),
        }
    }
}

impl Backend for Shared {
    fn encoding(&self) -> EncodingId {
        self.encoding
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        batch.require(self.encoding)?;
        let (answer, answers) = channel::bounded(1);
        let gone = || "its thread has ended".to_owned();
        let sent = self.jobs.send(Job { request: batch, answer }).map_err(|_| gone());
        let result = sent.and_then(|()| answers.recv().unwrap_or_else(|_| Err(gone())));
        let response = result.map_err(|text| BackendError::Compute {
            backend: self.name.clone(),
            source: text.into(),
        })?;
        Ok(self.finished.put(response))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.finished.take(ticket)
    }
}

fn serve(mut backend: Box<dyn Backend>, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let mut rows = first.request.len();
        let mut together = vec![first];
        while rows < MAX_ROWS
            && let Ok(job) = jobs.try_recv()
        {
            rows += job.request.len();
            together.push(job);
        }
        answer(&mut *backend, together);
    }
}

/// Computes the rows of all jobs at once and gives each its own.
fn answer(backend: &mut dyn Backend, jobs: Vec<Job>) {
    let rows = jobs.iter().map(|job| job.request.len()).sum::<usize>();
    let mut joint = RequestBatch::new(backend.encoding(), rows.max(1));
    for job in &jobs {
        for row in 0..job.request.len() {
            joint.push_row(job.request.row(row), job.request.labels_of(row));
        }
    }
    let joint = backend.evaluate(joint).map_err(|error| error.to_string());
    let (mut row, mut label) = (0, 0);
    for Job { request, answer } in jobs {
        let response = joint.as_ref().map_err(Clone::clone).and_then(|joint| {
            let (rows, labels) = (row + request.len(), label + request.labels().len());
            let logits = joint.logits()[label..labels].to_vec();
            let wdl = joint.wdl()[row..rows].to_vec();
            (row, label) = (rows, labels);
            ResponseBatch::new(request, logits, wdl).map_err(|error| error.to_string())
        });
        // A game that is interrupted does not wait for its answer.
        let _ = answer.send(response);
    }
}

#[cfg(test)]
mod tests {
    use keiko_inference::{Context, Hashed};
    use keiko_shogi::{DrawValues, Game, MoveList, Rules};

    use super::*;

    fn request(moves: &[&str]) -> RequestBatch {
        let mut game = Game::startpos(Rules::STANDARD);
        let mut batch = RequestBatch::new(EncodingId::Dlshogi57, moves.len());
        let draw_values = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };
        for mv in moves {
            game.play(mv.parse().unwrap());
            let mut legal = MoveList::new();
            game.legal_moves(&mut legal);
            batch.push(&game, &legal, &Context { draw_values });
        }
        batch
    }

    #[test]
    fn everybody_gets_the_answers_to_its_own_rows() {
        let texts = [&["7g7f"][..], &["2g2f", "8c8d"], &["5g5f", "5c5d", "2h5h"]];
        let mut alone = Hashed::new(EncodingId::Dlshogi57, 3);
        let shared = Shared::new(Box::new(Hashed::new(EncodingId::Dlshogi57, 3)));
        // At the same time from threads, and together in one batch.
        thread::scope(|scope| {
            for moves in texts {
                let expected = alone.evaluate(request(moves)).unwrap();
                let mut handle = shared.handle();
                scope.spawn(move || {
                    for _ in 0..50 {
                        assert_eq!(handle.evaluate(request(moves)).unwrap(), expected);
                    }
                });
            }
        });
        let (jobs, answers): (Vec<Job>, Vec<_>) = texts
            .iter()
            .map(|moves| {
                let (answer, answers) = channel::bounded(1);
                (Job { request: request(moves), answer }, answers)
            })
            .unzip();
        answer(&mut alone, jobs);
        let mut one = Hashed::new(EncodingId::Dlshogi57, 3);
        for (moves, answers) in texts.iter().zip(answers) {
            assert_eq!(answers.recv().unwrap().unwrap(), one.evaluate(request(moves)).unwrap());
        }
    }
}
