//! Learning rates over a run.

use serde::{Deserialize, Serialize};

/// How the learning rate falls, as a factor by step. A warm-up is apart from it, see
/// [`Settings::learning_rate_at`](crate::Settings::learning_rate_at).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Schedule {
    /// It does not.
    Constant,
    /// Along half a cosine, then it stays.
    Cosine {
        /// The step at which it ends, at least 1.
        steps: u64,
        /// The factor from there on, 0..=1.
        floor: f64,
    },
    /// Suddenly.
    Step {
        /// The steps at which it falls, ascending.
        at: Vec<u64>,
        /// By which factor it falls each time, 0..=1.
        factor: f64,
    },
}

impl Schedule {
    /// The factor of the step after `step` steps, 0..=1.
    pub fn factor(&self, step: u64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Cosine { steps, floor } => {
                let done = (step as f64 / *steps as f64).min(1.0);
                floor + (1.0 - floor) * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())
            }
            Self::Step { at, factor } => {
                at.iter().filter(|&&at| step >= at).fold(1.0, |all, _| all * factor)
            }
        }
    }

    /// What is out of range, as the key below `schedule` and the range.
    pub(crate) fn problem(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Cosine { steps: 0, .. } => Some(("schedule.steps", "at least 1")),
            Self::Cosine { floor, .. } if !(0.0..=1.0).contains(floor) => {
                Some(("schedule.floor", "0 to 1"))
            }
            Self::Step { at, .. } if !at.is_sorted() => Some(("schedule.at", "ascending")),
            Self::Step { factor, .. } if !(0.0..=1.0).contains(factor) => {
                Some(("schedule.factor", "0 to 1"))
            }
            Self::Constant | Self::Cosine { .. } | Self::Step { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    #[test]
    fn cosine_falls_from_one_to_its_floor() {
        let cosine = Schedule::Cosine { steps: 100, floor: 0.2 };
        for (step, factor) in [(0, 1.0), (50, 0.6), (100, 0.2), (1000, 0.2)] {
            assert_close(cosine.factor(step), factor);
        }
        assert!(cosine.factor(10) > cosine.factor(11));
    }

    #[test]
    fn steps_multiply() {
        let step = Schedule::Step { at: vec![10, 20], factor: 0.1 };
        for (at, factor) in [(0, 1.0), (9, 1.0), (10, 0.1), (19, 0.1), (20, 0.01)] {
            assert_close(step.factor(at), factor);
        }
        assert_close(Schedule::Constant.factor(7), 1.0);
    }
}
