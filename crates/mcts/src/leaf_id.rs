/// Names one outstanding leaf of one search.
///
/// An id is used up by applying or cancelling its leaf; a later use is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafId {
    pub(crate) slot: u32,
    pub(crate) serial: u32,
}
