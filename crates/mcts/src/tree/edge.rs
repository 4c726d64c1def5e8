use crate::totals::Totals;
use crate::{Proof, Wdl};

/// The edge leads to a position without a node.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// A tried move. All values are for the side that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) totals: Totals,
    /// The prior that selection uses: at the root with temperature and noise.
    pub(crate) prior: f32,
    /// The node behind the move, or [`NO_NODE`] where the game ends or the tree is full.
    pub(crate) node: u32,
    /// What the certain result is worth, 0 to 1.
    pub(crate) proven_score: f32,
    pub(crate) proof: Option<Proof>,
    /// Nothing behind the move can be selected until an outstanding leaf is applied.
    pub(crate) blocked: bool,
}

impl Edge {
    pub(crate) fn new(prior: f32) -> Self {
        Self {
            totals: Totals::default(),
            prior,
            node: NO_NODE,
            proven_score: 0.0,
            proof: None,
            blocked: false,
        }
    }

    /// Exact score if proven, else the mean of the applied visits, else nothing.
    pub(crate) fn score(&self) -> Option<f32> {
        if self.proof.is_some() {
            Some(self.proven_score)
        } else {
            (self.totals.visits > 0).then(|| self.totals.mean_score())
        }
    }

    /// Exact chances if proven, else the mean of the applied visits, else nothing.
    pub(crate) fn wdl(&self) -> Option<Wdl> {
        match self.proof {
            Some(proof) => Some(proof.wdl()),
            None => (self.totals.visits > 0).then(|| self.totals.mean_wdl()),
        }
    }

    pub(crate) fn loses(&self) -> bool {
        self.proof == Some(Proof::Loss)
    }

    pub(crate) fn wins(&self) -> bool {
        self.proof == Some(Proof::Win)
    }
}
