//! A table with one entry a square.

use std::ops::Index;

use crate::Square;

/// A table indexed by square. It is padded to 128 entries: with a masked index no bounds check is
/// left in the generated code.
pub(crate) struct SquareMap<T>(pub(crate) [T; 128]);

impl<T> Index<Square> for SquareMap<T> {
    type Output = T;

    #[inline]
    fn index(&self, square: Square) -> &T {
        &self.0[square.index() & 127]
    }
}
