//! Losses as numbers.

use std::iter::Sum;
use std::ops::Add;

use keiko_model::Head;
use serde::{Deserialize, Serialize};

/// One number for each auxiliary head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerHead<T> {
    /// Of the policy of the next ply.
    pub reply: T,
    /// Of the plies left.
    pub plies_left: T,
    /// Of the soft policy.
    pub soft_policy: T,
}

impl<T> PerHead<T> {
    /// That of `head`.
    pub fn of(&self, head: Head) -> &T {
        match head {
            Head::Reply => &self.reply,
            Head::PliesLeft => &self.plies_left,
            Head::SoftPolicy => &self.soft_policy,
        }
    }

    /// That of `head`, to be changed.
    pub fn of_mut(&mut self, head: Head) -> &mut T {
        match head {
            Head::Reply => &mut self.reply,
            Head::PliesLeft => &mut self.plies_left,
            Head::SoftPolicy => &mut self.soft_policy,
        }
    }
}

/// Shares of the auxiliary heads' losses, where the policy loss has 1; a head of weight 0 does not exist.
pub type HeadWeights = PerHead<f64>;

impl HeadWeights {
    /// The heads that exist, in the order of [`Head::ALL`].
    pub fn heads(&self) -> Vec<Head> {
        Head::ALL.into_iter().filter(|&head| *self.of(head) > 0.0).collect()
    }
}

/// Shares of the losses in the total loss, where the policy loss has 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossWeights {
    /// Of the value loss.
    pub value: f64,
    /// Of the auxiliary heads' losses.
    pub heads: HeadWeights,
}

impl LossWeights {
    /// Policy and value alike, and nothing else.
    pub const EVEN: Self =
        Self { value: 1.0, heads: PerHead { reply: 0.0, plies_left: 0.0, soft_policy: 0.0 } };
}

/// The loss of one head over rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadSum {
    /// Weighted loss.
    pub loss: f64,
    /// Weights of the rows.
    pub weight: f64,
}

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
    /// Losses of the auxiliary heads.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub heads: PerHead<HeadSum>,
}

fn is_nothing(heads: &PerHead<HeadSum>) -> bool {
    *heads == PerHead::default()
}

impl LossSums {
    /// Means over the rows, each row by its weight; 0 where no row has a weight. `weights` are the shares in
    /// [`Losses::total`].
    pub fn losses(&self, weights: &LossWeights) -> Losses {
        let mean = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        let policy = mean(self.policy, self.policy_weight);
        let value = mean(self.value, self.value_weight);
        let mut heads = PerHead::default();
        let mut total = policy + weights.value * value;
        for head in weights.heads.heads() {
            let HeadSum { loss, weight } = *self.heads.of(head);
            let loss = mean(loss, weight);
            *heads.of_mut(head) = Some(loss);
            total += weights.heads.of(head) * loss;
        }
        Losses {
            policy,
            value,
            total,
            heads,
            policy_entropy: mean(self.policy_entropy, self.policy_weight),
            policy_accuracy: mean(self.policy_hits, self.policy_weight),
            value_accuracy: mean(self.value_hits, self.value_weight),
        }
    }
}

impl Add for LossSums {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut heads = PerHead::default();
        for head in Head::ALL {
            let (one, two) = (self.heads.of(head), other.heads.of(head));
            *heads.of_mut(head) =
                HeadSum { loss: one.loss + two.loss, weight: one.weight + two.weight };
        }
        Self {
            heads,
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
    /// All losses together, each by its share.
    pub total: f64,
    /// Losses of the auxiliary heads that exist: cross entropies in nats, and of the plies left Huber's loss in units
    /// of 20 plies.
    pub heads: PerHead<Option<f64>>,
    /// Entropy of the policy targets, in nats: the least policy loss possible.
    pub policy_entropy: f64,
    /// Share of rows whose likeliest move is the target's, 0..=1.
    pub policy_accuracy: f64,
    /// Share of rows whose likeliest result is the target's, 0..=1.
    pub value_accuracy: f64,
}
