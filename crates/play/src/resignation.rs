use keiko_shogi::Color;
use serde::{Deserialize, Serialize};

/// When a side gives up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// Expected score (a draw is one half) below which a position counts as lost, 0..=0.5. 0 means that
    /// nobody resigns.
    pub threshold: f32,
    /// How many turns of the same side in a row must count as lost.
    pub turns: u32,
}

/// Counts the lost turns of both sides of one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResignWatch {
    lost_turns: [u32; 2],
}

impl ResignWatch {
    /// Notes the score that `side` expects at its turn, 0..=1, and says whether it should resign now.
    pub fn observe(&mut self, side: Color, score: f32, resignation: &Resignation) -> bool {
        let lost = &mut self.lost_turns[side.index()];
        *lost = if score < resignation.threshold { *lost + 1 } else { 0 };
        *lost >= resignation.turns.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_turns_in_a_row_of_one_side_count() {
        let resignation = Resignation { threshold: 0.05, turns: 2 };
        let mut watch = ResignWatch::default();
        assert!(!watch.observe(Color::Black, 0.01, &resignation));
        assert!(!watch.observe(Color::White, 0.01, &resignation));
        assert!(!watch.observe(Color::Black, 0.2, &resignation));
        assert!(!watch.observe(Color::Black, 0.01, &resignation));
        assert!(watch.observe(Color::Black, 0.01, &resignation));
        assert!(watch.observe(Color::White, 0.0, &resignation));
    }

    #[test]
    fn a_threshold_of_zero_is_off() {
        let off = Resignation { threshold: 0.0, turns: 1 };
        assert!(!ResignWatch::default().observe(Color::Black, 0.0, &off));
    }
}
