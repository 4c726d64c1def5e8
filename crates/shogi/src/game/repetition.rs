//! Repetition and perpetual check.

use super::Game;
use crate::{Color, EndReason, GameEnd, Outcome};

/// How often the current position has occurred, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Occurrences of the position in the whole game, this one included; 1 is the first. Positions
    /// are the same when placement, both hands and the side to move are.
    pub occurrences: u32,
    /// The ply of the last earlier occurrence.
    pub previous_ply: Option<u32>,
    /// From the fourth occurrence on: sennichite, or the loss of the side that checked with every
    /// move since the first of the four. If both sides did, it is sennichite: the rules are silent.
    pub verdict: Option<GameEnd>,
}

impl Game {
    /// The repetition of the current position over the full history.
    pub fn repetition(&self) -> Repetition {
        let records = self.history.records();
        let last = &records[records.len() - 1];
        let previous = last.previous();
        let verdict = (last.occurrences >= 4).then(|| self.fourth_occurrence());
        Repetition {
            occurrences: last.occurrences,
            previous_ply: previous.map(|ply| ply as u32),
            verdict,
        }
    }

    /// The side, if one, that gave check with every one of its moves after the ply `since`, which
    /// must be before the current one; `None` too if both sides did.
    pub fn perpetual_checker_since(&self, since: u32) -> Option<Color> {
        let records = self.history.records();
        let plies = self.ply().saturating_sub(since);
        let last = records.len() - 1;
        let checks = |back: usize| last.checked_sub(back).map_or(0, |i| records[i].checks);
        let mover = !self.position.side_to_move();
        // The side that moved last made the larger half of the moves.
        let by_mover = plies > 0 && checks(0) >= plies.div_ceil(2);
        let by_other = plies > 1 && checks(1) >= plies / 2;
        match (by_mover, by_other) {
            (true, false) => Some(mover),
            (false, true) => Some(!mover),
            _ => None,
        }
    }

    fn fourth_occurrence(&self) -> GameEnd {
        let records = self.history.records();
        let mut first = records.len() - 1;
        for _ in 0..3 {
            first = records[first].previous().unwrap_or(first);
        }
        let ply = self.ply();
        match self.perpetual_checker_since(first as u32) {
            Some(checker) => GameEnd {
                outcome: Outcome::win_for(!checker),
                reason: EndReason::PerpetualCheck,
                ply,
            },
            None => GameEnd { outcome: Outcome::Draw, reason: EndReason::Sennichite, ply },
        }
    }
}
