//! When a side resigns, and how that is kept right.

mod audit;
mod class;
mod confidence;
mod counts;
mod thresholds;
mod watch;

#[cfg(test)]
mod tests;

pub use audit::Audit;
pub(crate) use class::ClassWatch;
pub use class::{GameClass, LONG_PLIES};
pub use counts::ResignCounts;
pub use thresholds::Thresholds;
pub(crate) use watch::Watch;
