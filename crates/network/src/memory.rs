//! Memory between batches.

use std::hint::black_box;
use std::sync::Once;

static ONCE: Once = Once::new();

/// Makes glibc's allocator keep freed memory instead of giving it back to the kernel.
///
/// Every batch allocates the same few megabytes and frees them at its end. By default the allocator
/// returns them each time, and the page faults of the next batch cost a tenth of the whole time.
/// Freeing a block raises the limit above which memory is returned to twice the block's size, up to
/// 64 MiB; other allocators just see a block come and go.
pub(crate) fn keep_freed() {
    ONCE.call_once(|| drop(black_box(vec![0_u8; 31 << 20])));
}
