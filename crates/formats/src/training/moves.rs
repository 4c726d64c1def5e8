use keiko_shogi::Move;

/// A set of moves, a bit for each.
#[derive(Debug)]
pub(super) struct Moves(Box<[u64; 1 << 10]>);

impl Default for Moves {
    fn default() -> Self {
        Self(Box::new([0; 1 << 10]))
    }
}

impl Moves {
    pub(super) fn extend(&mut self, moves: &[Move]) {
        for mv in moves {
            self.0[usize::from(mv.to_bits() >> 6)] |= 1 << (mv.to_bits() & 63);
        }
    }

    /// Takes a move out; whether it was there.
    pub(super) fn remove(&mut self, mv: Move) -> bool {
        let (word, bit) = (usize::from(mv.to_bits() >> 6), 1 << (mv.to_bits() & 63));
        let there = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        there
    }

    /// Takes out all that is there, which is among `moves`.
    pub(super) fn clear(&mut self, moves: &[Move]) {
        for mv in moves {
            self.0[usize::from(mv.to_bits() >> 6)] = 0;
        }
    }
}
