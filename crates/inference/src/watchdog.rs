use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Notices calls of a device that do not come back, which nothing can cancel: all that is left is to end the process.
///
/// It knows the calls that are out; its owner tells it how time goes by and judges. Time that the process does not see,
/// because it is stopped or the machine sleeps, is no time of a call. Clones watch the same calls.
#[derive(Clone, Debug, Default)]
pub struct Watchdog {
    calls: Arc<Mutex<Calls>>,
}

#[derive(Debug, Default)]
struct Calls {
    next: u64,
    out: BTreeMap<u64, Out>,
}

#[derive(Debug)]
struct Out {
    what: Arc<str>,
    lasted: Duration,
}

/// A call that is out until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct DeviceCall {
    number: u64,
    calls: Arc<Mutex<Calls>>,
}

/// How long the call that is out for longest has lasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongestCall {
    /// What it is, as [`Watchdog::enter`] was told.
    pub what: String,
    /// The time that has passed in it.
    pub lasted: Duration,
}

impl Watchdog {
    /// A call begins; `what` is for people, such as "a training step on cuda".
    pub fn enter(&self, what: impl Into<Arc<str>>) -> DeviceCall {
        let mut calls = lock(&self.calls);
        let number = calls.next;
        calls.next += 1;
        calls.out.insert(number, Out { what: what.into(), lasted: Duration::ZERO });
        DeviceCall { number, calls: Arc::clone(&self.calls) }
    }

    /// So much time has passed since this was last told. Gives the longest of the calls that are out.
    pub fn pass(&self, time: Duration) -> Option<LongestCall> {
        let mut calls = lock(&self.calls);
        for out in calls.out.values_mut() {
            out.lasted += time;
        }
        let longest = calls.out.values().max_by_key(|out| out.lasted)?;
        Some(LongestCall { what: longest.what.as_ref().to_owned(), lasted: longest.lasted })
    }
}

impl DeviceCall {
    /// The call came on: its time begins anew.
    pub fn came_on(&self) {
        if let Some(out) = lock(&self.calls).out.get_mut(&self.number) {
            out.lasted = Duration::ZERO;
        }
    }
}

impl Drop for DeviceCall {
    fn drop(&mut self) {
        lock(&self.calls).out.remove(&self.number);
    }
}

fn lock(calls: &Mutex<Calls>) -> MutexGuard<'_, Calls> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn the_longest_call_that_is_out_is_told() {
        let watchdog = Watchdog::default();
        assert_eq!(watchdog.pass(MINUTE), None);
        let first = watchdog.enter("first");
        let longest = |what: &str, minutes| {
            Some(LongestCall { what: what.to_owned(), lasted: minutes * MINUTE })
        };
        assert_eq!(watchdog.pass(MINUTE), longest("first", 1));
        let second = watchdog.clone().enter("second");
        assert_eq!(watchdog.pass(MINUTE), longest("first", 2));
        first.came_on();
        assert_eq!(watchdog.pass(MINUTE), longest("second", 2));
        drop(second);
        assert_eq!(watchdog.pass(MINUTE), longest("first", 2));
        drop(first);
        assert_eq!(watchdog.pass(100 * MINUTE), None);
    }
}
