//! The clock.

use rustix::time::{ClockId, clock_gettime};

/// CPU time that this thread has used, in nanoseconds.
pub fn thread_time() -> u64 {
    nanoseconds(ClockId::ThreadCPUTime)
}

/// CPU time that all threads of this process have used, in nanoseconds.
pub fn process_time() -> u64 {
    nanoseconds(ClockId::ProcessCPUTime)
}

fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
