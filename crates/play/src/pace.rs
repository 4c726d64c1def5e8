use std::time::Duration;

/// How many simulations a search will do until its clock ends it, by its speed so far.
///
/// Sequential halving must know when it ends: without an end it would look at all its moves alike for ever. What it
/// plans with may change on the way, so the speed is measured as the search goes on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    /// Simulations a second of the last search that was long enough to tell.
    before: Option<f64>,
}

/// Share of the whole time for which the last search's speed counts beside the measured one: the first batches are
/// small, and the first of all is slow.
const CREDIT: f64 = 0.1;

/// Simulations from which on a search tells its speed.
const ENOUGH: u32 = 64;

impl Pace {
    /// Simulations in all, when `done` were done in `elapsed` and the search goes on for `left`.
    #[must_use]
    pub fn simulations(&self, done: u32, elapsed: Duration, left: Duration) -> u32 {
        let (elapsed, left) = (elapsed.as_secs_f64(), left.as_secs_f64());
        let credit = CREDIT * (elapsed + left);
        let (known, time) = match self.before {
            Some(speed) => (speed * credit, elapsed + credit),
            None => (0.0, elapsed),
        };
        let speed = if time > 0.0 { (f64::from(done) + known) / time } else { 0.0 };
        // The conversion ends at the largest number.
        done.saturating_add((speed * left) as u32)
    }

    /// Simulations in all, when `done` were done and nobody knows for how long the search goes on: as many again.
    #[must_use]
    pub fn open_end(done: u32) -> u32 {
        done.saturating_mul(2)
    }

    /// Notes a search that has ended.
    pub fn note(&mut self, done: u32, took: Duration) {
        if done >= ENOUGH && !took.is_zero() {
            self.before = Some(f64::from(done) / took.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn an_even_pace_is_foreseen_exactly() {
        let pace = Pace::default();
        assert_eq!(pace.simulations(100, ms(100), ms(900)), 1000);
        assert_eq!(pace.simulations(1000, ms(1000), ms(0)), 1000);
    }

    #[test]
    fn the_last_search_says_what_the_first_batches_cannot() {
        let mut pace = Pace::default();
        assert_eq!(pace.simulations(0, ms(0), ms(1000)), 0);
        pace.note(500, ms(500));
        assert_eq!(pace.simulations(0, ms(0), ms(1000)), 1000);
        // One slow first evaluation of 20 ms.
        let planned = pace.simulations(1, ms(20), ms(980));
        assert!((800..1000).contains(&planned), "{planned}");
        pace.note(1, ms(1000));
        assert_eq!(pace.simulations(0, ms(0), ms(1000)), 1000);
    }

    #[test]
    fn no_time_is_too_long() {
        assert_eq!(Pace::default().simulations(7, ms(1), Duration::MAX), u32::MAX);
        assert_eq!(Pace::open_end(u32::MAX), u32::MAX);
    }
}
