use serde::{Deserialize, Serialize};

use super::{Audit, GameClass};
use crate::settings::ResignAudit;

/// The expected score, a draw counted as one half, below which a turn counts as lost, 0 to 0.5, for each class of
/// games; 0 where nobody resigns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Of [`GameClass::Normal`].
    pub normal: f32,
    /// Of [`GameClass::Long`].
    pub long: f32,
    /// Of [`GameClass::EnteringKing`].
    pub entering_king: f32,
}

/// Thresholds that are looked at are this far from each other.
const GRID: f32 = 0.005;

impl Thresholds {
    /// Nobody resigns.
    pub const NEVER: Self = Self::all(0.0);

    /// The same for all classes.
    #[must_use]
    pub const fn all(threshold: f32) -> Self {
        Self { normal: threshold, long: threshold, entering_king: threshold }
    }

    /// The threshold of a class.
    #[must_use]
    pub fn of(&self, class: GameClass) -> f32 {
        match class {
            GameClass::Normal => self.normal,
            GameClass::Long => self.long,
            GameClass::EnteringKing => self.entering_king,
        }
    }

    pub(super) fn with(mut self, class: GameClass, threshold: f32) -> Self {
        *match class {
            GameClass::Normal => &mut self.normal,
            GameClass::Long => &mut self.long,
            GameClass::EnteringKing => &mut self.entering_king,
        } = threshold;
        self
    }

    /// The thresholds of a generation, after `previous` ones, by what was seen in games that were played out.
    ///
    /// A threshold of a class is *shown* to be right if at least `min_audited` games would have been resigned in
    /// that class, and so few of them wrongly that with 95 % confidence less than `target_wrong` are (the upper
    /// bound of Clopper and Pearson). The highest threshold comes into question below which no other with enough games
    /// fails to be shown right; trying them in a fixed order keeps the confidence although many are tried. A threshold falls to that at once, and
    /// rises to it by at most `step` a generation, but begins with the lowest one that is shown right. Where none
    /// is, nobody resigns.
    ///
    /// Classes follow each other in a game, so that what counts for one depends on the thresholds of those before it
    /// alone, which are set first.
    #[must_use]
    pub fn next(settings: &ResignAudit, previous: &Self, audit: &Audit) -> Self {
        if !settings.adapt {
            return Self::all(settings.threshold);
        }
        GameClass::ALL.into_iter().fold(Self::NEVER, |chosen, class| {
            let shown = |threshold: &f32| {
                let counts = audit.counts(class, &chosen.with(class, *threshold), settings.turns);
                let enough = counts.would_resign >= u64::from(settings.min_audited);
                enough.then(|| counts.are_right(settings.target_wrong))
            };
            let grid = (1..).map(|step| step as f32 * GRID);
            let grid = grid.take_while(|&threshold| threshold <= settings.threshold + GRID / 2.0);
            let tested = grid.filter_map(|threshold| Some((threshold, shown(&threshold)?)));
            let right: Vec<f32> =
                tested.take_while(|&(_, right)| right).map(|(threshold, _)| threshold).collect();
            let most = previous.of(class) + settings.step + GRID / 2.0;
            let within = right.iter().rev().find(|&&threshold| threshold <= most);
            // The lowest one that can be shown is as careful as one can begin.
            let threshold = within.or(right.first()).copied().unwrap_or(0.0);
            chosen.with(class, threshold.min(settings.threshold))
        })
    }
}
