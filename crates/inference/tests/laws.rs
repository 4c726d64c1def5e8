//! What every backend keeps, and the decorators over them.

use std::sync::mpsc::{Receiver, Sender, channel};

use keiko_encoding::EncodingId;
use keiko_inference::{
    Backend, BackendError, Cached, Canary, Hashed, Parallel, RequestBatch, ResponseBatch, Ticket,
    Uniform, Wdl,
};

const SHAPE: usize = 16;

/// A batch of `rows` distinct rows with as many labels as their number; `first` is the first one.
fn batch(encoding: EncodingId, first: usize, rows: usize) -> RequestBatch {
    let mut batch = RequestBatch::new(encoding, SHAPE);
    for index in first..first + rows {
        let mut row = vec![0; encoding.row_bytes()];
        row[..8].copy_from_slice(&(index as u64).to_le_bytes());
        let labels: Vec<u16> = (0..index as u16).collect();
        batch.push_row(&row, &labels);
    }
    batch
}

fn backends(encoding: EncodingId) -> Vec<Box<dyn Backend>> {
    vec![
        Box::new(Uniform::new(encoding)),
        Box::new(Hashed::new(encoding, 7)),
        Box::new(Cached::new(Hashed::new(encoding, 7), 5)),
        Box::new(Parallel::new(vec![
            Box::new(Hashed::new(encoding, 7)),
            Box::new(Hashed::new(encoding, 7)),
        ])),
    ]
}

#[test]
fn answers_are_parallel_and_finite_and_tickets_are_used_once() {
    for encoding in EncodingId::ALL {
        for mut backend in backends(encoding) {
            assert_eq!(backend.encoding(), encoding);
            let tickets: Vec<Ticket> =
                [9, 0, SHAPE].map(|rows| backend.submit(batch(encoding, 0, rows)).unwrap()).into();
            for (ticket, rows) in tickets.into_iter().zip([9, 0, SHAPE]).rev() {
                let response = backend.collect(ticket).unwrap();
                assert_eq!(response.request(), &batch(encoding, 0, rows), "{}", backend.name());
                assert_eq!(response.wdl().len(), rows);
                for row in 0..rows {
                    assert_eq!(response.logits_of(row).len(), row);
                }
                let again = backend.collect(ticket).unwrap_err();
                assert!(matches!(again, BackendError::UnknownTicket(_)), "{again}");
            }
        }
    }
}

#[test]
fn a_rows_answer_depends_on_no_neighbour() {
    for mut backend in backends(EncodingId::Keiko1) {
        let together = backend.evaluate(batch(EncodingId::Keiko1, 2, 9)).unwrap();
        for row in 0..9 {
            let alone = backend.evaluate(batch(EncodingId::Keiko1, 2 + row, 1)).unwrap();
            assert_eq!(alone.logits_of(0), together.logits_of(row), "{}", backend.name());
            assert_eq!(alone.wdl()[0], together.wdl()[row], "{}", backend.name());
        }
    }
}

#[test]
fn another_encoding_is_refused() {
    for mut backend in backends(EncodingId::Dlshogi57) {
        let error = backend.submit(batch(EncodingId::Keiko1, 0, 1)).unwrap_err();
        assert!(matches!(error, BackendError::Encoding { .. }), "{error}");
    }
}

#[test]
fn a_cache_answers_as_its_inner_backend_and_computes_each_row_once() {
    let encoding = EncodingId::Dlshogi119;
    let mut plain = Hashed::new(encoding, 3);
    let mut cached = Cached::new(Hashed::new(encoding, 3), 1 << 12);
    for first in [0, 4, 0, 10, 4] {
        let response = cached.evaluate(batch(encoding, first, 12)).unwrap();
        assert_eq!(response, plain.evaluate(batch(encoding, first, 12)).unwrap());
    }
    assert_eq!((cached.hits(), cached.misses()), (60 - 22, 22));
}

#[test]
fn a_cache_computes_twins_in_a_batch_once() {
    let encoding = EncodingId::Dlshogi57;
    let mut cached = Cached::new(Hashed::new(encoding, 3), 64);
    let mut twins = batch(encoding, 5, 1);
    let row = twins.row(0).to_vec();
    twins.push_row(&row, &[0, 1, 2, 3, 4]);
    twins.push_row(&row, &[4, 3]);
    let response = cached.evaluate(twins).unwrap();
    assert_eq!(response.logits_of(0), response.logits_of(1));
    assert_eq!(response.logits_of(2), [response.logits_of(0)[4], response.logits_of(0)[3]]);
    assert_eq!((cached.hits(), cached.misses()), (1, 2));
}

#[test]
fn a_cache_tells_rows_in_one_place_apart() {
    let encoding = EncodingId::Dlshogi57;
    let mut plain = Hashed::new(encoding, 3);
    let mut cached = Cached::new(Hashed::new(encoding, 3), 1);
    for first in [1, 2, 1, 1, 3] {
        let response = cached.evaluate(batch(encoding, first, 1)).unwrap();
        assert_eq!(response, plain.evaluate(batch(encoding, first, 1)).unwrap());
    }
    assert_eq!((cached.hits(), cached.misses()), (1, 4));
}

#[test]
fn a_cache_tells_shapes_apart() {
    let encoding = EncodingId::Dlshogi57;
    let mut cached = Cached::new(Hashed::new(encoding, 3), 64);
    let mut trimmed = batch(encoding, 1, 2);
    trimmed.trim();
    assert_eq!((trimmed.len(), trimmed.shape()), (2, 2));
    cached.evaluate(batch(encoding, 1, 2)).unwrap();
    cached.evaluate(trimmed.clone()).unwrap();
    cached.evaluate(trimmed.clone()).unwrap();
    assert_eq!((cached.hits(), cached.misses()), (2, 4));
    trimmed.clear();
    assert_eq!((trimmed.len(), trimmed.shape()), (0, SHAPE));
}

/// A lane that says its number when it has a batch, and answers when the test lets it.
struct Held {
    inner: Hashed,
    number: usize,
    has_one: Sender<usize>,
    let_go: Receiver<()>,
}

impl Backend for Held {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        "held".to_owned()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        self.has_one.send(self.number).expect("the test listens");
        self.let_go.recv().expect("nobody lets go any more");
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.inner.collect(ticket)
    }
}

/// Two lanes, what lets each of them compute one batch, and which of them has just taken one: that is by chance.
fn held_lanes(encoding: EncodingId) -> (Parallel, [Option<Sender<()>>; 2], Receiver<usize>) {
    let (has_one, taken) = channel();
    let lanes = [0, 1].map(|number| {
        let (go, let_go) = channel();
        let inner = Hashed::new(encoding, 7);
        let lane = Held { inner, number, has_one: has_one.clone(), let_go };
        (Box::new(lane) as Box<dyn Backend>, Some(go))
    });
    let [(first, go_first), (second, go_second)] = lanes;
    (Parallel::new(vec![first, second]), [go_first, go_second], taken)
}

fn let_go(lane: Option<&Sender<()>>) {
    lane.expect("it was not let down").send(()).expect("the lane waits");
}

#[test]
fn a_fast_lane_waits_for_no_slow_one() {
    let encoding = EncodingId::Dlshogi57;
    let (mut backend, go, taken) = held_lanes(encoding);
    let held = backend.submit(batch(encoding, 0, 3)).unwrap();
    let slow = taken.recv().unwrap();
    let fast = 1 - slow;
    for first in 1..6 {
        let free = backend.submit(batch(encoding, first, 3)).unwrap();
        assert_eq!(taken.recv(), Ok(fast));
        let_go(go[fast].as_ref());
        assert_eq!(backend.next_done(&[held, free]), 1);
        let response = backend.collect(free).unwrap();
        assert_eq!(response.request(), &batch(encoding, first, 3));
    }
    let_go(go[slow].as_ref());
    assert_eq!(backend.next_done(&[held]), 0);
    assert_eq!(backend.collect(held).unwrap().request(), &batch(encoding, 0, 3));
}

#[test]
fn a_lane_that_panics_is_an_error() {
    let encoding = EncodingId::Dlshogi57;
    let (mut backend, mut go, taken) = held_lanes(encoding);
    let mut submit = |first| {
        let ticket = backend.submit(batch(encoding, first, 3)).unwrap();
        (ticket, taken.recv().unwrap())
    };
    let [(first, let_down), (second, other)] = [0, 1].map(&mut submit);
    go[let_down] = None;
    assert_eq!(backend.next_done(&[first, second]), 0);
    let error = backend.collect(first).unwrap_err();
    assert!(format!("{error:?}").contains("panicked"), "{error:?}");
    let_go(go[other].as_ref());
    backend.collect(second).unwrap();
}

/// What a device may do wrong without a word.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Constant,
    Swapped,
    Stale,
    Scaled,
    OneLogit,
    OtherSide,
    NotANumber,
    OtherWeights,
}

/// Computes rightly for some batches.
struct Sick {
    inner: Hashed,
    other: Hashed,
    right: u64,
    fault: Fault,
    last: Option<(Vec<f32>, Vec<Wdl>)>,
}

impl Backend for Sick {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        "sick".to_owned()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        if self.right == 0 && matches!(self.fault, Fault::OtherWeights) {
            let answer = self.other.evaluate(batch)?;
            let (logits, wdl) = (answer.logits().to_vec(), answer.wdl().to_vec());
            self.last = Some((logits, wdl));
            return self.inner.submit(answer.into_request());
        }
        self.inner.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let answer = self.inner.collect(ticket)?;
        let (mut logits, mut wdl) = (answer.logits().to_vec(), answer.wdl().to_vec());
        if self.right > 0 {
            self.right -= 1;
            self.last = Some((logits, wdl));
            return Ok(answer);
        }
        match self.fault {
            Fault::Constant => logits.fill(0.0),
            Fault::Swapped => wdl.swap(0, 1),
            Fault::Stale | Fault::OtherWeights => {
                let (old, old_wdl) = self.last.as_ref().expect("a batch before");
                let known = old.len().min(logits.len());
                logits[..known].copy_from_slice(&old[..known]);
                wdl[0] = old_wdl[0];
            }
            Fault::Scaled => logits.iter_mut().for_each(|logit| *logit *= 1.5),
            Fault::OneLogit => logits[0] += 0.5,
            Fault::OtherSide => wdl[0] = wdl[0].flipped(),
            Fault::NotANumber => logits[0] = f32::NAN,
        }
        ResponseBatch::new(answer.into_request(), logits, wdl)
    }
}

#[test]
fn whatever_a_device_does_wrong_is_found_at_the_next_check() {
    use Fault::*;
    let encoding = EncodingId::Dlshogi57;
    for fault in [Constant, Swapped, Stale, Scaled, OneLogit, OtherSide, NotANumber, OtherWeights] {
        let inner = Hashed::new(encoding, 7);
        let other = Hashed::new(encoding, 8);
        // The first answer is the canary's own; four more are right.
        let sick = Sick { inner, other, right: 5, fault, last: None };
        let expected = Hashed::new(encoding, 7).evaluate(batch(encoding, 3, 4)).unwrap();
        let judge = move |found: &ResponseBatch| {
            let logits = found.logits().iter().zip(expected.logits());
            let far = logits.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            let wrong = found.wdl() != expected.wdl();
            if far > 1e-3 || wrong { Err(format!("{far} off")) } else { Ok(()) }
        };
        let question = batch(encoding, 3, 4);
        let mut canary = Canary::new(sick, question, Box::new(judge), 10).unwrap();
        let mut computed = 0;
        let error = loop {
            match canary.evaluate(batch(encoding, 20, 5)) {
                Ok(_) => computed += 1,
                Err(error) => break error,
            }
            assert!(computed < 10, "{fault:?} is not found");
        };
        match fault {
            NotANumber => assert!(matches!(error, BackendError::LogitNotFinite { .. })),
            _ => assert!(error.to_string().contains("sick computes wrongly after 10"), "{error}"),
        }
    }
    // A device that is wrong from the start is not used at all.
    let sick = Sick {
        inner: Hashed::new(encoding, 7),
        other: Hashed::new(encoding, 8),
        right: 0,
        fault: Constant,
        last: None,
    };
    let judge = |_: &ResponseBatch| Err("never right".to_owned());
    let error = Canary::new(sick, batch(encoding, 3, 4), Box::new(judge), 10).unwrap_err();
    assert!(matches!(error, BackendError::Wrong { batches: 0, .. }), "{error}");
}
