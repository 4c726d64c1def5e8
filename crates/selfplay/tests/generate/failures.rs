use std::time::Duration;

use keiko_inference::{
    Backend, BackendError, EncodingId, Finished, Hashed, RequestBatch, ResponseBatch, Ticket,
};
use keiko_mcts::Wdl;
use keiko_selfplay::{GenerateError, Settings};

use crate::shards::Shards;
use crate::{Case, ENCODING, SETTINGS, hashed, run};

/// A backend that takes its time: the scheduler's whims, made large.
pub(crate) struct Delayed(Box<dyn Backend>);

impl Delayed {
    /// Hashed answers; those of worker 0 come late.
    pub(crate) fn first_worker(worker: usize) -> Result<Box<dyn Backend>, BackendError> {
        let backend = hashed(worker)?;
        Ok(if worker == 0 { Box::new(Self(backend)) } else { backend })
    }

    pub(crate) fn constant(wdl: Wdl) -> Box<dyn Backend> {
        Box::new(Odd { after: 0, answer: Answer::Wdl(wdl), finished: Finished::default() })
    }
}

impl Backend for Delayed {
    fn encoding(&self) -> EncodingId {
        self.0.encoding()
    }

    fn name(&self) -> String {
        self.0.name()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        std::thread::sleep(Duration::from_micros(500));
        self.0.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.0.collect(ticket)
    }
}

#[derive(Clone, Copy)]
enum Answer {
    Wdl(Wdl),
    Panic,
}

/// Hashed answers at first, and then another one.
struct Odd {
    after: u32,
    answer: Answer,
    finished: Finished,
}

impl Backend for Odd {
    fn encoding(&self) -> EncodingId {
        ENCODING
    }

    fn name(&self) -> String {
        "odd".to_owned()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        if self.after > 0 {
            self.after -= 1;
            return Ok(self.finished.put(Hashed::new(ENCODING, 3).evaluate(batch)?));
        }
        let Answer::Wdl(wdl) = self.answer else { panic!("a bug in a backend") };
        let logits = vec![0.0; batch.labels().len()];
        let wdl = vec![wdl; batch.len()];
        Ok(self.finished.put(ResponseBatch::new(batch, logits, wdl)?))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.finished.take(ticket)
    }
}

/// Runs with worker 1 of two answering oddly after some batches; returns the error and the shards.
fn failing(after: u32, answer: Answer) -> (GenerateError, Shards) {
    let backend = |worker| -> Result<Box<dyn Backend>, BackendError> {
        if worker == 0 {
            return hashed(worker);
        }
        Ok(Box::new(Odd { after, answer, finished: Finished::default() }))
    };
    let settings = Settings { workers: 2, ..SETTINGS };
    let mut shards = Shards::default();
    let case = Case { settings, backend: &backend, games: 200, ..Case::default() };
    let error = run(&case, &mut shards).unwrap_err();
    (error, shards)
}

#[test]
fn nonsense_is_an_error_and_no_record() {
    let nan = Answer::Wdl(Wdl { win: f32::NAN, draw: 0.5, loss: 0.5 });
    let (error, shards) = failing(0, nan);
    assert!(matches!(error, GenerateError::Play { worker: 1, .. }), "{error}");
    assert!(shards.shards.is_empty(), "games of worker 1 are in every shard");
}

#[test]
fn a_panic_is_an_error_and_no_record() {
    let (error, shards) = failing(0, Answer::Panic);
    assert!(matches!(error, GenerateError::Panicked { worker: 1 }), "{error}");
    assert!(shards.shards.is_empty());
}

#[test]
fn what_was_published_before_a_failure_is_right() {
    let (_, shards) = failing(600, Answer::Panic);
    let whole = crate::played(&Case { games: 200, ..Case::default() });
    let before = shards.bytes();
    assert!(!before.is_empty() && before.len() < whole.shards.len());
    assert!(before == whole.bytes()[..before.len()]);
}

#[test]
fn a_backend_that_cannot_be_made_is_an_error() {
    let backend =
        |_| -> Result<Box<dyn Backend>, BackendError> { Err(BackendError::UnknownTicket(7)) };
    let error = run(&Case { backend: &backend, ..Case::default() }, &mut Shards::default());
    assert!(matches!(error, Err(GenerateError::Backend { worker: 0, .. })));
}

#[test]
fn a_setting_out_of_its_range_is_an_error() {
    let settings = Settings { batch_shape: 8, ..SETTINGS };
    let error = run(&Case { settings, ..Case::default() }, &mut Shards::default()).unwrap_err();
    assert_eq!(error.to_string(), "selfplay.batch_shape is 8, but must be from 16 to 65536");
}
