//! Orders that follow from a seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Randomness for one purpose.
pub(super) struct Order(Xoshiro256PlusPlus);

impl Order {
    pub(super) fn of_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Shuffles `items`; every order is equally likely, but for a bias below their number / 2^64.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let below = u128::from(self.0.next_u64()) * (i as u128 + 1);
            items.swap(i, (below >> 64) as usize);
        }
    }

    pub(super) fn coin(&mut self) -> bool {
        self.0.next_u64() >> 63 == 1
    }
}
