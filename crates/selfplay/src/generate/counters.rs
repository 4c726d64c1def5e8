use std::sync::atomic::{AtomicU64, Ordering};

use keiko_play::GroupCounts;

use crate::Progress;

/// The work of all workers, for progress reports only.
#[derive(Debug, Default)]
pub(super) struct Counters {
    games: AtomicU64,
    plies: AtomicU64,
    evaluations: AtomicU64,
    batches: AtomicU64,
}

impl Counters {
    /// Adds what a group did between two readings of its counts.
    pub(super) fn add(&self, before: GroupCounts, after: GroupCounts) {
        self.games.fetch_add(after.games - before.games, Ordering::Relaxed);
        self.plies.fetch_add(after.plies - before.plies, Ordering::Relaxed);
        self.evaluations.fetch_add(after.evaluations - before.evaluations, Ordering::Relaxed);
        self.batches.fetch_add(after.batches - before.batches, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> Progress {
        Progress {
            games: self.games.load(Ordering::Relaxed),
            plies: self.plies.load(Ordering::Relaxed),
            evaluations: self.evaluations.load(Ordering::Relaxed),
            batches: self.batches.load(Ordering::Relaxed),
        }
    }
}
