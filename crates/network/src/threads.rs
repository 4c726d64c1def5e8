//! LibTorch's threads within one operation.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number last given to LibTorch by any thread: parts of it are the process's.
static PROCESS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The number last given to LibTorch by this thread: parts of it are the thread's.
    static THREAD: Cell<usize> = const { Cell::new(0) };
}

/// Lets the operations that this thread calls from now on use `threads` threads.
///
/// Free of cost where nothing changes, so it is called at the start of every piece of work:
/// another thread may have asked for another number meanwhile.
pub(crate) fn use_threads(threads: usize) {
    let threads = threads.max(1);
    let before = PROCESS.swap(threads, Ordering::Relaxed);
    let here = THREAD.replace(threads);
    if before != threads || here != threads {
        tch::set_num_threads(i32::try_from(threads).unwrap_or(i32::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_the_number_it_asked_for() {
        use_threads(2);
        let other = std::thread::spawn(|| {
            use_threads(1);
            tch::get_num_threads()
        });
        assert_eq!(other.join().expect("the thread ends"), 1);
        use_threads(2);
        assert_eq!(tch::get_num_threads(), 2);
    }
}
