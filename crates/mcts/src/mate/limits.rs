/// How far a [`MateSolver`](crate::MateSolver) looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateLimits {
    /// Moves that the solver may play in its search. To confirm a mate it may play as many beside them.
    pub nodes: u64,
    /// The longest mate looked for, in plies from the current position; more than
    /// [`MateLimits::MAX_PLIES`] counts as that.
    pub plies: u16,
}

impl MateLimits {
    /// The longest mate that can be looked for, in plies. The longest composed mate has 1,525.
    pub const MAX_PLIES: u16 = 1999;
}
