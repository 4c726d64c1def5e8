use serde::{Deserialize, Serialize};

use crate::Remaining;

/// How a player divides its time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeSettings {
    /// What is lost between the engine and the clock on every move, in milliseconds.
    pub margin_ms: u64,
    /// What a move is given at least where the clock allows it, in milliseconds.
    pub minimum_ms: u64,
    /// Own moves over which the main time is spread at the start of the game.
    pub horizon_moves: u32,
}

/// How long to think about one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// When to stop if the choice is clear, in milliseconds.
    pub optimum_ms: u64,
    /// When to stop whatever happens, in milliseconds; never less than `optimum_ms`.
    pub maximum_ms: u64,
}

/// How many times its share a difficult move may take.
const STRETCH: u64 = 4;
/// The fewest moves that main time is always kept for.
const RESERVE_MOVES: u64 = 10;

impl TimeBudget {
    /// The budget at a turn of a game in which `ply` moves have been played.
    ///
    /// The main time is spread over the moves expected to come, each with its increment, and the byoyomi
    /// is used in full, because what is not used of it is lost. The budget with its margin never exceeds
    /// main time and byoyomi; the increment is only counted on once it is on the clock.
    #[must_use]
    pub fn allot(remaining: Remaining, ply: u32, settings: &TimeSettings) -> Self {
        let longest = remaining.longest_ms().saturating_sub(settings.margin_ms);
        let moves_played = u64::from(ply / 2);
        let moves_left =
            u64::from(settings.horizon_moves).saturating_sub(moves_played).max(RESERVE_MOVES);
        let share = (remaining.main_ms / moves_left).saturating_add(remaining.increment_ms);
        let byoyomi = remaining.byoyomi_ms;
        let wanted = share.saturating_add(byoyomi).saturating_sub(settings.margin_ms);
        let optimum = wanted.max(settings.minimum_ms).min(longest);
        let stretched = share.saturating_mul(STRETCH).min(remaining.main_ms / 2);
        let maximum =
            stretched.saturating_add(byoyomi).saturating_sub(settings.margin_ms).min(longest);
        Self { optimum_ms: optimum, maximum_ms: maximum.max(optimum) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: TimeSettings =
        TimeSettings { margin_ms: 100, minimum_ms: 200, horizon_moves: 60 };

    fn remaining(main_ms: u64, byoyomi_ms: u64, increment_ms: u64) -> Remaining {
        Remaining { main_ms, byoyomi_ms, increment_ms }
    }

    #[test]
    fn pure_byoyomi_is_used_up_to_the_margin() {
        let budget = TimeBudget::allot(remaining(0, 10_000, 0), 80, &SETTINGS);
        assert_eq!(budget, TimeBudget { optimum_ms: 9_900, maximum_ms: 9_900 });
    }

    #[test]
    fn main_time_is_spread() {
        let budget = TimeBudget::allot(remaining(600_000, 0, 0), 0, &SETTINGS);
        assert_eq!(budget, TimeBudget { optimum_ms: 9_900, maximum_ms: 39_900 });
        let late = TimeBudget::allot(remaining(600_000, 0, 0), 300, &SETTINGS);
        assert_eq!(late.optimum_ms, 59_900);
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for main in [0, 1, 50, 99, 100, 101, 1_000, 60_000, u64::MAX] {
            for byoyomi in [0, 1, 100, 5_000] {
                for increment in [0, 2_000, u64::MAX] {
                    let remaining = remaining(main, byoyomi, increment);
                    for ply in [0, 7, 100, 5_000] {
                        let budget = TimeBudget::allot(remaining, ply, &SETTINGS);
                        let longest = remaining.longest_ms().saturating_sub(SETTINGS.margin_ms);
                        assert!(budget.optimum_ms <= budget.maximum_ms, "{remaining:?} {ply}");
                        assert!(budget.maximum_ms <= longest, "{remaining:?} {ply}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_sudden_death_game_always_has_time_left() {
        let mut main = 60_000;
        for ply in (0..600).step_by(2) {
            let budget = TimeBudget::allot(remaining(main, 0, 0), ply, &SETTINGS);
            main = main
                .checked_sub(budget.maximum_ms + SETTINGS.margin_ms)
                .unwrap_or_else(|| panic!("out of time at ply {ply}"));
            if main <= SETTINGS.margin_ms + SETTINGS.minimum_ms {
                return;
            }
        }
    }
}
