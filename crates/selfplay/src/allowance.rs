use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which games of a stream without an end may begin, said by another thread while they are played.
///
/// Games begin in several threads, each with indices of its own; whatever is allowed and whenever the stream is
/// closed, the games that begin are those of the indices from 0 to one of them, without a gap.
#[derive(Debug, Default)]
pub struct Allowance(Mutex<Bounds>);

#[derive(Debug, Default)]
struct Bounds {
    /// Games below this index may begin.
    end: u64,
    /// The first index above those of all games that have begun.
    begun: u64,
    closed: bool,
}

/// Whether a game may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// It has begun.
    Now,
    /// Not yet.
    Later,
    /// The stream was closed before it.
    Never,
}

impl Allowance {
    /// The games below index `end` may begin, and no others for now. Those that have begun are played to their end.
    pub fn allow(&self, end: u64) {
        self.bounds().end = end;
    }

    /// Ends the stream with the games that have begun, and those before them.
    pub fn close(&self) {
        self.bounds().closed = true;
    }

    /// The number of games that have begun, and of those before them.
    pub fn begun(&self) -> u64 {
        self.bounds().begun
    }

    /// Begins the game of `index` if it may begin.
    pub(crate) fn begin(&self, index: u64) -> Permission {
        let mut bounds = self.bounds();
        let below = if bounds.closed { bounds.begun } else { bounds.end.max(bounds.begun) };
        if index < below {
            bounds.begun = bounds.begun.max(index + 1);
            Permission::Now
        } else if bounds.closed {
            Permission::Never
        } else {
            Permission::Later
        }
    }

    fn bounds(&self) -> MutexGuard<'_, Bounds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_as_far_as_is_allowed_and_a_closed_stream_has_no_gap() {
        let allowance = Allowance::default();
        assert_eq!(allowance.begin(0), Permission::Later);
        allowance.allow(6);
        assert_eq!(allowance.begin(4), Permission::Now);
        assert_eq!(allowance.begin(6), Permission::Later);
        // Less is allowed than has begun: what lies between is made up for.
        allowance.allow(1);
        assert_eq!((allowance.begin(3), allowance.begin(5)), (Permission::Now, Permission::Later));
        allowance.allow(100);
        allowance.close();
        assert_eq!(allowance.begun(), 5);
        assert_eq!((allowance.begin(1), allowance.begin(5)), (Permission::Now, Permission::Never));
        assert_eq!(allowance.begun(), 5);
    }
}
