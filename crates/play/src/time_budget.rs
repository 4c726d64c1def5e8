use serde::{Deserialize, Serialize};

use crate::Remaining;

/// How a player divides its time. All times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeSettings {
    /// What is lost between the player and the clock on every move: the network's delay.
    pub margin_ms: u64,
    /// What a move is given at least where the clock allows it.
    pub minimum_ms: u64,
    /// Own moves over which the main time is spread at the start of the game.
    pub horizon_moves: u32,
}

/// What is kept back besides the delay. All times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Margins {
    /// Kept back on every move with byoyomi.
    pub byoyomi_ms: u64,
    /// Main time that is never used where there is no byoyomi; at most half of what is left.
    pub main_ms: u64,
}

/// How long to think about one move, in milliseconds since the clock was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// When to stop if the choice is clear.
    pub optimum_ms: u64,
    /// When to stop whatever happens; never less than `optimum_ms`.
    pub maximum_ms: u64,
    /// When the game is lost on time; never less than `maximum_ms`.
    pub flag_ms: u64,
}

/// How many times its share a difficult move may take.
const STRETCH: u64 = 4;
/// The fewest moves that main time is always kept for.
const RESERVE_MOVES: u64 = 10;

impl TimeBudget {
    /// The budget at a turn of a game in which `ply` moves have been played.
    ///
    /// The main time is spread over the moves expected to come, each with its increment, and the byoyomi
    /// is used in full, because what is not used of it is lost. Delay and margins are kept back once on
    /// every move, and from a byoyomi that is shorter than they are, three quarters of it. The budget
    /// never exceeds main time and byoyomi; the increment is only counted on once it is on the clock.
    #[must_use]
    pub fn allot(remaining: Remaining, ply: u32, settings: &TimeSettings) -> Self {
        Self::allot_keeping(Margins::default(), remaining, ply, settings)
    }

    /// As [`allot`](Self::allot), with margins.
    #[must_use]
    pub fn allot_keeping(
        margins: Margins,
        remaining: Remaining,
        ply: u32,
        settings: &TimeSettings,
    ) -> Self {
        let flag = remaining.longest_ms();
        let (margin, reserve) = kept_back(margins, remaining, settings);
        let main = remaining.main_ms - reserve;
        let byoyomi = remaining.byoyomi_ms;
        let longest = main.saturating_add(byoyomi).saturating_sub(margin);
        let moves_played = u64::from(ply / 2);
        let moves_left =
            u64::from(settings.horizon_moves).saturating_sub(moves_played).max(RESERVE_MOVES);
        let share = (main / moves_left).saturating_add(remaining.increment_ms);
        let wanted = share.saturating_add(byoyomi).saturating_sub(margin);
        let optimum = wanted.max(settings.minimum_ms).min(longest);
        let stretched = share.saturating_mul(STRETCH).min(main / 2);
        let maximum = stretched.saturating_add(byoyomi).saturating_sub(margin).min(longest);
        Self { optimum_ms: optimum, maximum_ms: maximum.max(optimum), flag_ms: flag }
    }

    /// The budget of a move that is given `ms`, all of which may be used but the delay, or half where
    /// the delay is longer.
    #[must_use]
    pub fn of_move(ms: u64, settings: &TimeSettings) -> Self {
        let own = ms - settings.margin_ms.min(ms / 2);
        Self { optimum_ms: own, maximum_ms: own, flag_ms: ms }
    }

    /// Half way between the end of the thinking and the flag: who has not answered by then must be
    /// answered for.
    #[must_use]
    pub fn overdue_ms(&self) -> u64 {
        self.maximum_ms + (self.flag_ms - self.maximum_ms) / 2
    }
}

/// What is kept back on this move, and of the main time for good.
fn kept_back(margins: Margins, remaining: Remaining, settings: &TimeSettings) -> (u64, u64) {
    if remaining.byoyomi_ms == 0 {
        return (settings.margin_ms, margins.main_ms.min(remaining.main_ms / 2));
    }
    let longest = remaining.longest_ms();
    let margin = settings.margin_ms.saturating_add(margins.byoyomi_ms);
    (margin.min(longest - longest / 4), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: TimeSettings =
        TimeSettings { margin_ms: 100, minimum_ms: 200, horizon_moves: 60 };
    const NONE: Margins = Margins { byoyomi_ms: 0, main_ms: 0 };

    fn remaining(main_ms: u64, byoyomi_ms: u64, increment_ms: u64) -> Remaining {
        Remaining { main_ms, byoyomi_ms, increment_ms }
    }

    fn budget(remaining: Remaining, margins: Margins) -> (u64, u64, u64) {
        let TimeBudget { optimum_ms, maximum_ms, flag_ms } =
            TimeBudget::allot_keeping(margins, remaining, 0, &SETTINGS);
        (optimum_ms, maximum_ms, flag_ms)
    }

    #[test]
    fn pure_byoyomi_is_used_up_to_the_margins() {
        let byoyomi = remaining(0, 10_000, 0);
        assert_eq!(budget(byoyomi, NONE), (9_900, 9_900, 10_000));
        let margins = Margins { byoyomi_ms: 400, ..NONE };
        assert_eq!(budget(byoyomi, margins), (9_500, 9_500, 10_000));
        let late = TimeBudget::allot_keeping(margins, byoyomi, 80, &SETTINGS);
        assert_eq!((late.maximum_ms, late.overdue_ms()), (9_500, 9_750));
    }

    #[test]
    fn a_byoyomi_shorter_than_the_margins_leaves_a_quarter_to_think() {
        assert_eq!(budget(remaining(0, 100, 0), NONE), (25, 25, 100));
        assert_eq!(budget(remaining(0, 1, 0), NONE), (0, 0, 1));
        let margins = Margins { byoyomi_ms: u64::MAX, ..NONE };
        assert_eq!(budget(remaining(0, 4_000, 0), margins), (1_000, 1_000, 4_000));
    }

    #[test]
    fn main_time_is_spread() {
        assert_eq!(budget(remaining(600_000, 0, 0), NONE), (9_900, 39_900, 600_000));
        let late = TimeBudget::allot(remaining(600_000, 0, 0), 300, &SETTINGS);
        assert_eq!(late.optimum_ms, 59_900);
    }

    /// Bug log, entry 51.
    #[test]
    fn main_time_counts_beside_byoyomi_and_without_it() {
        let (optimum, maximum, flag) = budget(remaining(300_000, 5_000, 0), NONE);
        assert!(optimum > 5_000 && maximum > optimum && maximum < flag, "{optimum} {maximum}");
        assert_eq!(flag, 305_000);
        let (optimum, _, flag) = budget(remaining(300_000, 0, 0), NONE);
        assert_eq!((optimum, flag), (4_900, 300_000));
    }

    #[test]
    fn the_reserve_of_main_time_is_kept_once_and_never_more_than_half() {
        let margins = Margins { main_ms: 6_000, ..NONE };
        assert_eq!(budget(remaining(306_000, 0, 0), margins).0, 4_900);
        assert_eq!(budget(remaining(400, 0, 0), margins), (100, 100, 400));
        assert_eq!(budget(remaining(6_000, 1_000, 0), margins).2, 7_000);
    }

    #[test]
    fn an_increment_is_spent_but_never_before_it_is_on_the_clock() {
        let (optimum, maximum, _) = budget(remaining(60_000, 0, 2_000), NONE);
        assert_eq!((optimum, maximum), (2_900, 11_900));
        let (optimum, maximum, flag) = budget(remaining(500, 0, 2_000), NONE);
        assert_eq!((optimum, maximum, flag), (400, 400, 500));
    }

    #[test]
    fn increment_and_byoyomi_may_come_together() {
        let (optimum, maximum, flag) = budget(remaining(60_000, 3_000, 2_000), NONE);
        assert_eq!((optimum, maximum, flag), (5_900, 14_900, 63_000));
    }

    #[test]
    fn a_time_for_one_move_is_used_but_for_the_delay() {
        let all = |ms| {
            let budget = TimeBudget::of_move(ms, &SETTINGS);
            (budget.optimum_ms, budget.maximum_ms, budget.flag_ms)
        };
        assert_eq!(all(1_000), (900, 900, 1_000));
        assert_eq!(all(100), (50, 50, 100));
        assert_eq!(all(1), (1, 1, 1));
        assert_eq!(all(0), (0, 0, 0));
        assert_eq!(all(u64::MAX).1, u64::MAX - 100);
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for main in [0, 1, 50, 99, 100, 101, 1_000, 60_000, u64::MAX] {
            for byoyomi in [0, 1, 100, 5_000, u64::MAX] {
                for increment in [0, 2_000, u64::MAX] {
                    for margin in [0, 1_000, u64::MAX] {
                        let settings = TimeSettings { margin_ms: margin, ..SETTINGS };
                        let margins = Margins { byoyomi_ms: margin, main_ms: margin };
                        let remaining = remaining(main, byoyomi, increment);
                        for ply in [0, 7, 5_000] {
                            let budget =
                                TimeBudget::allot_keeping(margins, remaining, ply, &settings);
                            assert!(budget.optimum_ms <= budget.maximum_ms, "{remaining:?} {ply}");
                            assert!(budget.maximum_ms <= budget.flag_ms, "{remaining:?} {ply}");
                            assert!(budget.overdue_ms() <= budget.flag_ms, "{remaining:?} {ply}");
                        }
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
