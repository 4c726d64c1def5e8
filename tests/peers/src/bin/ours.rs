//! Our side.

use std::cell::RefCell;

use keiko_bench::{Inputs, SEARCHES, WORKS};
use keiko_peers::{Doing, serve};

fn main() {
    let inputs = RefCell::new(Inputs::new());
    let doing = |work: &'static keiko_bench::Work| -> (&'static str, Doing<'_>) {
        (work.name, Box::new(|| work.run(&mut inputs.borrow_mut())))
    };
    serve(WORKS.iter().chain(&SEARCHES).map(doing).collect());
}
