//! The lanes and the one who waits for them, in many orders of what they do: who waits for ever fails.

use super::*;
use crate::Hashed;

const ENCODING: EncodingId = EncodingId::Dlshogi57;

/// Orders that each test tries.
const ORDERS: usize = 2000;

/// A batch of one row, told from others by its number.
fn batch(number: u8) -> RequestBatch {
    let mut batch = RequestBatch::new(ENCODING, 1);
    let mut row = vec![0; ENCODING.row_bytes()];
    row[0] = number;
    batch.push_row(&row, &[u16::from(number)]);
    batch
}

fn lanes(count: usize) -> Parallel {
    let lane = |_| Box::new(Hashed::new(ENCODING, 7)) as Box<dyn Backend>;
    Parallel::new((0..count).map(lane).collect())
}

/// Panics at the batch of this number and answers the others.
#[derive(Debug)]
struct Panics(u8, Hashed);

impl Backend for Panics {
    fn encoding(&self) -> EncodingId {
        self.1.encoding()
    }

    fn name(&self) -> String {
        "panics".to_owned()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        if batch.labels()[0] == u16::from(self.0) {
            // Without the hook, which would print it thousands of times.
            panic::resume_unwind(Box::new("nothing"));
        }
        self.1.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.1.collect(ticket)
    }
}

#[test]
fn in_every_order_each_ticket_has_the_answer_of_one_backend_alone() {
    let orders = || {
        let mut parallel = lanes(2);
        let mut alone = Hashed::new(ENCODING, 7);
        let mut open: Vec<(u8, Ticket)> =
            (0..4).map(|number| (number, parallel.submit(batch(number)).unwrap())).collect();
        while !open.is_empty() {
            let tickets: Vec<Ticket> = open.iter().map(|&(_, ticket)| ticket).collect();
            let (number, ticket) = open.remove(parallel.next_done(&tickets));
            let answer = parallel.collect(ticket).unwrap();
            assert_eq!(answer, alone.evaluate(batch(number)).unwrap());
        }
        assert!(parallel.out.is_empty() && parallel.done.is_empty());
    };
    shuttle::check_random(orders, ORDERS);
    shuttle::check_pct(orders, ORDERS, 3);
}

#[test]
fn in_every_order_a_lane_that_panics_leaves_nobody_waiting() {
    let orders = || {
        let lane = || Box::new(Panics(1, Hashed::new(ENCODING, 7))) as Box<dyn Backend>;
        let mut parallel = Parallel::new(vec![lane(), lane()]);
        let tickets: Vec<Ticket> =
            (0..4).map(|number| parallel.submit(batch(number)).unwrap()).collect();
        for (number, ticket) in (0..4).zip(tickets).rev() {
            assert_eq!(parallel.collect(ticket).is_err(), number == 1, "batch {number}");
        }
    };
    shuttle::check_random(orders, ORDERS);
}

#[test]
fn in_every_order_lanes_end_when_nobody_waits_any_more() {
    let orders = || {
        let mut parallel = lanes(2);
        let tickets = [0, 1, 2].map(|number| parallel.submit(batch(number)).unwrap());
        parallel.next_done(&tickets);
        drop(parallel);
    };
    shuttle::check_random(orders, ORDERS);
}
