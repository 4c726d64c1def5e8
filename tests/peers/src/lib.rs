//! The work of `keiko-bench` done by other programs, to be compared.
//!
//! Each side is a program of its own, built as it is fastest. It says which work it knows, then does
//! what it reads the name of, and answers with the result, the units and the CPU time. `compare` asks
//! all sides in turn.

pub mod side;

use std::io::BufRead as _;

use keiko_bench::{Done, thread_time};

/// Does a work.
pub type Doing<'a> = Box<dyn FnMut() -> Done + 'a>;

/// Answers on standard output until standard input ends.
///
/// # Panics
/// If it is asked for a work it does not know, or standard input cannot be read.
pub fn serve(mut works: Vec<(&'static str, Doing<'_>)>) {
    let names: Vec<&str> = works.iter().map(|(name, _)| *name).collect();
    println!("{}", names.join(" "));
    for line in std::io::stdin().lock().lines() {
        let name = line.expect("a line of text");
        let (_, doing) =
            works.iter_mut().find(|(known, _)| *known == name).expect("a work that is known");
        let start = thread_time();
        let done = doing();
        let nanoseconds = thread_time() - start;
        println!("{} {} {nanoseconds}", done.result, done.units);
    }
}
