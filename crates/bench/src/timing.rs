//! Timing several works side by side.

use std::fmt;

use crate::{Inputs, Work, median, thread_time};

/// How long a unit of a work takes.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The work.
    pub work: &'static Work,
    /// CPU time of a unit, in nanoseconds: the median of the rounds.
    pub median_ns: f64,
    /// The same in the fastest round.
    pub least_ns: f64,
}

/// A work gave another result than it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongResult {
    /// Name of the work.
    pub name: &'static str,
    /// What it gave.
    pub found: u64,
    /// What it must give.
    pub expected: u64,
}

impl fmt::Display for WrongResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} gave {}, expected {}", self.name, self.found, self.expected)
    }
}

impl std::error::Error for WrongResult {}

/// Does every work once a round, so that what slows the machine for a while slows all of them.
///
/// # Errors
/// [`WrongResult`] at the first work that does not give what it must.
///
/// # Panics
/// If `rounds` is 0.
pub fn time(
    works: &[&'static Work],
    rounds: usize,
    inputs: &mut Inputs,
) -> Result<Vec<Timing>, WrongResult> {
    assert!(rounds > 0, "rounds to take the median of");
    let mut times = vec![Vec::with_capacity(rounds); works.len()];
    for _ in 0..rounds {
        for (work, times) in works.iter().zip(&mut times) {
            let start = thread_time();
            let done = work.run(inputs);
            times.push((thread_time() - start) as f64 / done.units as f64);
            if done.result != work.result {
                let (found, expected) = (done.result, work.result);
                return Err(WrongResult { name: work.name, found, expected });
            }
        }
    }
    let timing = |(&work, times): (&&'static Work, Vec<f64>)| {
        let least_ns = times.iter().copied().fold(f64::INFINITY, f64::min);
        Timing { work, median_ns: median(times).expect("rounds"), least_ns }
    };
    Ok(works.iter().zip(times).map(timing).collect())
}
