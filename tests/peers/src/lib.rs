//! The work of `keiko-bench` done by other programs, to be compared.
//!
//! Each side is a program of its own, built as it is fastest. It says which work it knows, then does
//! what it reads the name of, and answers with the result, the units and the CPU time. `compare` asks
//! all sides in turn.

pub mod side;
pub mod theirs;

use std::io::BufRead as _;

use keiko_bench::{Done, MATSURI, MOST_MOVES, thread_time};

/// Does a work.
pub type Doing<'a> = Box<dyn FnMut() -> Done + 'a>;

/// The start position.
pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Counts the leaves below a position, given as SFEN, at a depth in plies.
pub type Perft = fn(&str, u32) -> Done;

/// The perft works, by a peer that counts the last moves by their list (`bulk`) and by making them.
pub fn perfts<'a>(bulk: Perft, full: Perft) -> Vec<(&'static str, Doing<'a>)> {
    vec![
        ("perft_start_d5_bulk", Box::new(move || bulk(START, 5))),
        ("perft_start_d6_bulk", Box::new(move || bulk(START, 6))),
        ("perft_start_d4_full", Box::new(move || full(START, 4))),
        ("perft_start_d5_full", Box::new(move || full(START, 5))),
        ("perft_matsuri_d3_bulk", Box::new(move || bulk(MATSURI, 3))),
        ("perft_matsuri_d4_bulk", Box::new(move || bulk(MATSURI, 4))),
        ("perft_most_moves_d3_bulk", Box::new(move || bulk(MOST_MOVES, 3))),
    ]
}

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
