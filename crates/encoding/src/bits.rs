//! Board planes as the 81 low bits of a `u128`, and the string of bits that a row keeps of them.

use crate::id::{PLANES1, PLANES1_BYTES};

/// The squares of a board, all set.
pub(crate) const BOARD: u128 = (1 << 81) - 1;

/// The squares of the ranks `first..=last` (0 = a).
pub(crate) const fn ranks(first: u32, last: u32) -> u128 {
    let mut squares = 0;
    let mut file = 0;
    while file < 9 {
        let mut rank = first;
        while rank <= last {
            squares |= 1 << (file * 9 + rank);
            rank += 1;
        }
        file += 1;
    }
    squares
}

/// The board turned by 180 degrees: square `s` becomes `80 - s`.
#[inline]
pub(crate) const fn rotated(plane: u128) -> u128 {
    plane.reverse_bits() >> 47
}

/// The board mirrored left to right: file `f` becomes `8 - f`, ranks stay.
#[inline]
pub(crate) const fn mirrored(plane: u128) -> u128 {
    const FILE: u128 = (1 << 9) - 1;
    let mut result = plane & FILE << 36;
    let mut file = 0;
    while file < 4 {
        let (low, distance) = (FILE << (9 * file), 72 - 18 * file);
        result |= (plane & low) << distance | plane >> distance & low;
        file += 1;
    }
    result
}

/// Words that hold all board planes, and one more so that every plane may touch three.
const WORDS: usize = (PLANES1 * 81).div_ceil(64) + 1;

/// The board planes of one row.
pub(crate) struct BoardPlanes {
    words: [u64; WORDS],
}

impl BoardPlanes {
    /// All planes empty.
    pub(crate) const fn new() -> Self {
        Self { words: [0; WORDS] }
    }

    /// Adds squares to a plane (below 62).
    #[inline(always)]
    pub(crate) const fn put(&mut self, plane: usize, squares: u128) {
        let (word, shift) = (plane * 81 / 64, plane * 81 % 64);
        let low = (squares as u64 as u128) << shift;
        let high = (squares >> 64) << shift;
        self.words[word] |= low as u64;
        self.words[word + 1] |= (low >> 64) as u64 | high as u64;
        self.words[word + 2] |= (high >> 64) as u64;
    }

    /// The squares of a plane (below 62).
    #[inline]
    pub(crate) const fn get(&self, plane: usize) -> u128 {
        let (word, shift) = (plane * 81 / 64, plane * 81 % 64);
        let low = self.words[word] as u128 | (self.words[word + 1] as u128) << 64;
        // Shifted in two steps, because a shift by all 128 bits is not one.
        let high = (self.words[word + 2] as u128) << 1 << (127 - shift);
        (low >> shift | high) & BOARD
    }

    /// The planes that `bytes`, as long as a row's board planes, hold.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        debug_assert_eq!(bytes.len(), PLANES1_BYTES);
        let mut planes = Self::new();
        for (word, chunk) in planes.words.iter_mut().zip(bytes.chunks(8)) {
            let mut padded = [0; 8];
            padded[..chunk.len()].copy_from_slice(chunk);
            *word = u64::from_le_bytes(padded);
        }
        planes
    }

    /// Writes the planes to `bytes`, which are as long as a row's board planes.
    #[inline]
    pub(crate) fn write(&self, bytes: &mut [u8]) {
        debug_assert_eq!(bytes.len(), PLANES1_BYTES);
        for (word, chunk) in self.words.iter().zip(bytes.chunks_mut(8)) {
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_turn_and_mirror_square_by_square() {
        for square in 0..81 {
            let (file, rank) = (square / 9, square % 9);
            assert_eq!(rotated(1 << square), 1 << (80 - square));
            assert_eq!(mirrored(1 << square), 1 << ((8 - file) * 9 + rank));
        }
        assert_eq!((rotated(BOARD), mirrored(BOARD)), (BOARD, BOARD));
    }

    #[test]
    fn planes_do_not_touch_each_other() {
        for plane in 0..PLANES1 {
            for squares in [BOARD, 1, 1 << 80, BOARD / 3] {
                let mut planes = BoardPlanes::new();
                planes.put(plane, squares);
                let mut bytes = [0; PLANES1_BYTES];
                planes.write(&mut bytes);
                let read = BoardPlanes::read(&bytes);
                for other in 0..PLANES1 {
                    let expected = if other == plane { squares } else { 0 };
                    assert_eq!(read.get(other), expected, "plane {other}, written {plane}");
                }
                let ones = bytes.iter().map(|byte| byte.count_ones()).sum::<u32>();
                assert_eq!(ones, squares.count_ones());
            }
        }
    }
}
