/// A position on the way of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    /// The root has 1. The attacker moves at odd depths.
    pub(super) depth: u16,
    /// Key of the positions on the way, this one left out.
    pub(super) path: u64,
}

impl Visit {
    /// The position that the search starts from.
    pub(super) const ROOT: Self = Self { depth: 1, path: 0 };

    /// The position behind a move from here; `key` is that of the position here.
    pub(super) const fn next(self, key: u64) -> Self {
        Self { depth: self.depth + 1, path: self.path ^ key }
    }

    /// Whether the attacker moves.
    pub(super) const fn attacks(self) -> bool {
        self.depth % 2 == 1
    }

    /// Plies played since the root.
    pub(super) const fn plies(self) -> u16 {
        self.depth - 1
    }
}
