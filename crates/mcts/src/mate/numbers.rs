/// Proof and disproof number of a position, from the attacker's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// How much must be shown at least to prove the mate: 0 for a mate.
    pub(super) proof: u32,
    /// How much must be shown at least to refute it: 0 for a refutation.
    pub(super) disproof: u32,
    /// For a refutation, the lowest depth of the way here that it hangs on: the root has 1. [`FREE`]
    /// if it holds however the position was reached, [`LIMITED`] if it hangs on more than positions.
    pub(super) hangs_on: u16,
}

/// Of what can no longer be shown.
pub(super) const INFINITE: u32 = 1 << 30;
/// The refutation holds however the position was reached.
pub(super) const FREE: u16 = u16::MAX;
/// The refutation comes from the limit of plies or from an end by the rules of the game.
pub(super) const LIMITED: u16 = 0;

impl Numbers {
    /// A mate.
    pub(super) const MATE: Self = Self { proof: 0, disproof: INFINITE, hangs_on: FREE };

    /// A position that is not decided.
    pub(super) const fn open(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof, hangs_on: FREE }
    }

    /// A refutation.
    pub(super) const fn refuted(hangs_on: u16) -> Self {
        Self { proof: INFINITE, disproof: 0, hangs_on }
    }

    pub(super) const fn is_mate(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_refuted(self) -> bool {
        self.disproof == 0
    }

    /// Whether the numbers hold only on the way that led here.
    pub(super) const fn is_bound_to_path(self) -> bool {
        self.is_refuted() && self.hangs_on != FREE
    }
}
