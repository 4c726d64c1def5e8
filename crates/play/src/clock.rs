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

    /// Takes the time of a move off. A move that takes exactly what is left is in time.
    ///
    /// # Errors
    /// When the side has overstepped; its clock then stays as it was.
    pub fn spend(&mut self, side: Color, elapsed_ms: u64) -> Result<(), OutOfTime> {
        let allowed_ms = self.remaining(side).longest_ms();
        if elapsed_ms > allowed_ms {
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

    #[test]
    fn byoyomi_begins_when_the_main_time_ends() {
        let control = TimeControl { main_ms: 1_000, byoyomi_ms: 500, ..TimeControl::default() };
        assert_eq!(main_after(control, &[1_500, 500, 500]), Ok(0));
        let late = OutOfTime { elapsed_ms: 501, allowed_ms: 500 };
        assert_eq!(main_after(control, &[1_000, 501]), Err(late));
    }

    #[test]
    fn fischer_adds_after_the_move() {
        let control = TimeControl { main_ms: 1_000, increment_ms: 300, ..TimeControl::default() };
        assert_eq!(main_after(control, &[1_000, 100]), Ok(500));
        assert!(main_after(control, &[1_001]).is_err());
    }
}
