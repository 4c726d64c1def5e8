//! How much memory reading takes.

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes that reading may take whatever the input.
const ALWAYS: usize = 256 << 10;

/// What `read` returns.
///
/// # Panics
/// If more than 256 KiB and `each` bytes for each of the `input` bytes are taken at once on the way.
pub fn within<T>(input: usize, each: usize, read: impl FnOnce() -> T) -> T {
    below(ALWAYS + input * each, read)
}

/// What `read` returns.
///
/// # Panics
/// If more than `limit` bytes are taken at once on the way.
pub fn below<T>(limit: usize, read: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = read();
    let taken = MEMORY.peak_usage().saturating_sub(before);
    assert!(taken <= limit, "{taken} bytes taken, {limit} expected at most");
    result
}
