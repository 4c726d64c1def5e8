use crate::Leaf;

/// What the search wants next.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// This position must be evaluated and applied.
    Leaf(Leaf<'a>),
    /// Nothing can be selected until an outstanding leaf is applied or cancelled.
    Wait,
    /// The simulations are used up and applied, the settings end the search early, or the root's result is
    /// proven.
    Done,
}
