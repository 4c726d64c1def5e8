//! Fixed work, to be timed: of the core, counting, generating, making, playing, mates and planes; and of searches.
//!
//! A [`Work`] does always the same and says what came out, which is compared with what it must be:
//! speed never comes from doing something else. [`time`] runs several of them interleaved and takes
//! medians of the thread's CPU time, so that a busy machine changes little.
//!
//! The crate does not know nets, files or programs.

mod boards;
mod clock;
mod count;
mod games;
mod inputs;
mod lockstep;
mod mates;
mod median;
mod planes;
mod playouts;
mod searches;
mod settings;
mod timing;
mod work;

pub use clock::{process_time, thread_time};
pub use count::{MATSURI, MOST_MOVES};
pub use games::{RandomGame, random_games};
pub use inputs::{Inputs, POSITIONS};
pub use median::median;
pub use searches::Budget;
pub use timing::{Timing, WrongResult, time};
pub use work::{Done, SEARCHES, WORKS, Work};
