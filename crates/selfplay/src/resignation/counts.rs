use super::confidence;

/// What resignation did, or would have done, in games of one class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResignCounts {
    /// Games that were played out and in which a side would have resigned.
    pub would_resign: u64,
    /// Of these, those that this side did not lose.
    pub wrong: u64,
    /// Games that ended by resignation.
    pub resigned: u64,
}

impl ResignCounts {
    /// Whether less than a share `target` of such resignations is wrong, with 95 % confidence: were it `target`,
    /// so few wrong ones would be seen in at most 5 % of all cases.
    pub(super) fn are_right(&self, target: f32) -> bool {
        confidence::tail(self.would_resign, self.wrong, f64::from(target)) <= 0.05
    }
}
