//! The clock.

use rustix::time::{ClockId, clock_gettime};

/// CPU time that this thread has used, in nanoseconds.
pub fn thread_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
