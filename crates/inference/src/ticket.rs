/// Names a batch that was submitted and not yet collected.
///
/// A ticket belongs to the backend that gave it and is collected once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);
