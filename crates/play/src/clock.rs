use keiko_shogi::Color;

use crate::{Remaining, TimeControl};

/// The clock of a game. It counts what it is told; it never looks at the time itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    main_ms: [u64; 2],
}

/// A move took longer than its side had left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("move took {elapsed_ms} ms, {allowed_ms} ms were left")]
pub struct OutOfTime {
    /// What the move took, in milliseconds.
    pub elapsed_ms: u64,
    /// What was left, byoyomi included, in milliseconds.
    pub allowed_ms: u64,
}

impl Clock {
    /// The clock at the start of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self { control, main_ms: [control.main_ms; 2] }
    }

    /// What `side` has left.
    #[must_use]
    pub fn remaining(&self, side: Color) -> Remaining {
        Remaining {
            main_ms: self.main_ms[side.index()],
            byoyomi_ms: self.control.byoyomi_ms,
            increment_ms: self.control.increment_ms,
        }
    }

    /// Takes the time of a move off. A move that takes exactly what is left is in time, but with nothing left
    /// no move is.
    ///
    /// # Errors
    /// When the side has overstepped; its clock then stays as it was.
    pub fn spend(&mut self, side: Color, elapsed_ms: u64) -> Result<(), OutOfTime> {
        let allowed_ms = self.remaining(side).longest_ms();
        if elapsed_ms > allowed_ms || allowed_ms == 0 {
            return Err(OutOfTime { elapsed_ms, allowed_ms });
        }
        let main = &mut self.main_ms[side.index()];
        *main = main.saturating_sub(elapsed_ms).saturating_add(self.control.increment_ms);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_after(control: TimeControl, moves_ms: &[u64]) -> Result<u64, OutOfTime> {
        let mut clock = Clock::new(control);
        for &elapsed in moves_ms {
            clock.spend(Color::White, elapsed)?;
        }
        assert_eq!(clock.remaining(Color::Black).main_ms, control.main_ms);
        Ok(clock.remaining(Color::White).main_ms)
    }

    #[test]
    fn sudden_death() {
        let control = TimeControl { main_ms: 1_000, ..TimeControl::default() };
        assert_eq!(main_after(control, &[400, 600]), Ok(0));
        let late = OutOfTime { elapsed_ms: 601, allowed_ms: 600 };
        assert_eq!(main_after(control, &[400, 601]), Err(late));
    }

    /// Bug log, entry 54: it is the mover who loses.
    #[test]
    fn a_move_with_nothing_left_loses_on_time() {
        let control = TimeControl { main_ms: 1_000, ..TimeControl::default() };
        let late = OutOfTime { elapsed_ms: 0, allowed_ms: 0 };
        assert_eq!(main_after(control, &[1_000, 0]), Err(late));
    }

    /// Bug log, entry 56.
    #[test]
    fn byoyomi_begins_when_the_main_time_ends() {
        let control = TimeControl { main_ms: 90_000, byoyomi_ms: 20_000, ..TimeControl::default() };
        assert_eq!(main_after(control, &[95_000, 20_000, 20_000]), Ok(0));
        let late = OutOfTime { elapsed_ms: 20_001, allowed_ms: 20_000 };
        assert_eq!(main_after(control, &[90_000, 20_001]), Err(late));
    }

    /// Bug log, entry 53: whatever the move does to the game, it is in time.
    #[test]
    fn the_move_that_enters_byoyomi_is_in_time_to_its_last_millisecond() {
        let control = TimeControl { main_ms: 1_000, byoyomi_ms: 500, ..TimeControl::default() };
        assert_eq!(main_after(control, &[999, 501]), Ok(0));
        assert!(main_after(control, &[999, 502]).is_err());
    }

    #[test]
    fn fischer_adds_after_the_move() {
        let control = TimeControl { main_ms: 1_000, increment_ms: 300, ..TimeControl::default() };
        assert_eq!(main_after(control, &[1_000, 100]), Ok(500));
        assert!(main_after(control, &[1_001]).is_err());
    }

    #[test]
    fn increment_and_byoyomi_may_come_together() {
        let control = TimeControl { main_ms: 1_000, byoyomi_ms: 500, increment_ms: 300 };
        assert_eq!(main_after(control, &[1_500, 100, 700]), Ok(300));
    }

    /// Bug log, entry 52: each side may have a control, and so a clock, of its own.
    #[test]
    fn each_side_has_its_own_byoyomi() {
        let byoyomi = |byoyomi_ms| TimeControl { byoyomi_ms, ..TimeControl::default() };
        let clocks = [byoyomi(10_000), byoyomi(30_000)].map(Clock::new);
        let white = clocks[Color::White.index()].remaining(Color::White);
        assert_eq!(white.byoyomi_ms, 30_000);
    }

    /// Bug log, entry 55.
    #[test]
    fn a_resumed_game_knows_the_time_already_used() {
        let mut clock = Clock::new(TimeControl { main_ms: 600_000, ..TimeControl::default() });
        clock.spend(Color::Black, 12_000).unwrap();
        clock.spend(Color::White, 6_000).unwrap();
        let left = [Color::Black, Color::White].map(|side| clock.remaining(side).main_ms);
        assert_eq!(left, [588_000, 594_000]);
    }
}
