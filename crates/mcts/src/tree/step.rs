/// One edge by its place: stays the same while the edges' arena moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) node: u32,
    pub(crate) slot: u16,
}
