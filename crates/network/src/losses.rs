//! Losses as numbers.

use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// Sums over the rows of one or more batches, from which [`Losses`] follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossSums {
    /// Number of rows.
    pub rows: u64,
    /// Weighted policy cross entropy, in nats.
    pub policy: f64,
    /// Weighted value cross entropy, in nats.
    pub value: f64,
    /// Weights of the rows' policies.
    pub policy_weight: f64,
    /// Weights of the rows' values.
    pub value_weight: f64,
    /// Weighted entropy of the policy targets, in nats.
    pub policy_entropy: f64,
    /// Weights of the rows whose likeliest move is the target's.
    pub policy_hits: f64,
    /// Weights of the rows whose likeliest result is the target's.
    pub value_hits: f64,
}

impl LossSums {
    /// Means over the rows, each row by its weight; 0 where no row has a weight. `value_factor` is
    /// the value loss's share in [`Losses::total`].
    pub fn losses(&self, value_factor: f64) -> Losses {
        let mean = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        let policy = mean(self.policy, self.policy_weight);
        let value = mean(self.value, self.value_weight);
        Losses {
            policy,
            value,
            total: policy + value_factor * value,
            policy_entropy: mean(self.policy_entropy, self.policy_weight),
            policy_accuracy: mean(self.policy_hits, self.policy_weight),
            value_accuracy: mean(self.value_hits, self.value_weight),
        }
    }
}

impl Add for LossSums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            policy: self.policy + other.policy,
            value: self.value + other.value,
            policy_weight: self.policy_weight + other.policy_weight,
            value_weight: self.value_weight + other.value_weight,
            policy_entropy: self.policy_entropy + other.policy_entropy,
            policy_hits: self.policy_hits + other.policy_hits,
            value_hits: self.value_hits + other.value_hits,
        }
    }
}

impl Sum for LossSums {
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(Self::default(), Add::add)
    }
}

/// Mean losses over rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// Cross entropy of the policy targets against the net's policy over the legal moves, in nats.
    pub policy: f64,
    /// Cross entropy of the result targets against the net's win, draw and loss, in nats.
    pub value: f64,
    /// Policy loss and weighted value loss together.
    pub total: f64,
    /// Entropy of the policy targets, in nats: the least policy loss possible.
    pub policy_entropy: f64,
    /// Share of rows whose likeliest move is the target's, 0..=1.
    pub policy_accuracy: f64,
    /// Share of rows whose likeliest result is the target's, 0..=1.
    pub value_accuracy: f64,
}
