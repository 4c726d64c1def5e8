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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The bounds are five standard deviations.
    #[test]
    fn orders_and_coins_are_even() {
        let mut orders = BTreeMap::new();
        let mut heads = 0;
        for seed in 0..24_000 {
            let (mut order, mut items) = (Order::of_seed(seed), [0, 1, 2, 3]);
            order.shuffle(&mut items);
            *orders.entry(items).or_insert(0) += 1;
            heads += u32::from(order.coin());
        }
        assert_eq!(orders.len(), 24);
        assert!(orders.values().all(|count| (845..1155).contains(count)), "{orders:?}");
        assert!((11_613..12_387).contains(&heads), "{heads}");
    }
}
