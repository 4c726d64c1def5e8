use crate::Wdl;
use crate::value::Value;

/// Sums over the visits of one edge (for the side that moves) or of the root (for the side to
/// move).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    /// Sum of the scores, each 0 to 1.
    pub(crate) score: f64,
    win: f64,
    draw: f64,
    /// Applied visits.
    pub(crate) visits: u32,
    /// Visits on their way: selected, not yet applied. Each counts as a lost visit in selection.
    pub(crate) in_flight: u32,
}

impl Totals {
    pub(crate) fn add(&mut self, value: Value) {
        self.score += value.score;
        self.win += f64::from(value.wdl.win);
        self.draw += f64::from(value.wdl.draw);
        self.visits += 1;
    }

    /// Mean score, 0 to 1, of the applied visits. Needs one visit at least.
    pub(crate) fn mean_score(&self) -> f32 {
        debug_assert!(self.visits > 0, "a mean needs a visit");
        (self.score / f64::from(self.visits)) as f32
    }

    /// Mean chances of the applied visits. Needs one visit at least.
    pub(crate) fn mean_wdl(&self) -> Wdl {
        debug_assert!(self.visits > 0, "a mean needs a visit");
        let visits = f64::from(self.visits);
        let (win, draw) = ((self.win / visits) as f32, (self.draw / visits) as f32);
        Wdl { win, draw, loss: (1.0 - win - draw).max(0.0) }
    }

    /// These sums without those of `part`, which were added to them.
    pub(crate) fn without(&self, part: &Self) -> Self {
        Self {
            score: self.score - part.score,
            win: self.win - part.win,
            draw: self.draw - part.draw,
            visits: self.visits - part.visits,
            in_flight: self.in_flight - part.in_flight,
        }
    }

    /// The same sums for the other side, without the visits on their way.
    pub(crate) fn flipped(&self) -> Self {
        let visits = f64::from(self.visits);
        Self {
            score: visits - self.score,
            win: visits - self.win - self.draw,
            draw: self.draw,
            visits: self.visits,
            in_flight: 0,
        }
    }
}
