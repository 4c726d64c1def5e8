use keiko_shogi::{Color, Game};

use super::memory::Memory;
use super::numbers::{FREE, LIMITED, Numbers};
use super::place::Place;
use super::visit::Visit;

/// Nodes between two questions whether to go on.
const NODES_BETWEEN_QUESTIONS: u64 = 1024;

/// One search for a mate.
pub(super) struct Attack<'a> {
    pub(super) game: &'a mut Game,
    pub(super) memory: &'a mut Memory,
    pub(super) goes_on: &'a mut dyn FnMut() -> bool,
    pub(super) attacker: Color,
    /// The ply of the game at the root.
    pub(super) root_ply: u32,
    /// The longest mate that counts, in plies.
    pub(super) plies: u16,
    /// Whether the question is for a mate within `plies`, so that their number refutes for good.
    pub(super) bounded: bool,
    /// Moves played.
    pub(super) nodes: u64,
    /// Moves that may be played.
    pub(super) max_nodes: u64,
    /// Whether the search has to come to its end.
    pub(super) is_stopped: bool,
    /// Whether the caller wants no more.
    pub(super) is_cancelled: bool,
}

impl Attack<'_> {
    /// Counts a move that is played, and says whether there is leave for it.
    pub(super) fn spend(&mut self) -> bool {
        if self.nodes >= self.max_nodes {
            self.is_stopped = true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && !(self.goes_on)() {
            self.is_cancelled = true;
        }
        self.is_stopped |= self.is_cancelled;
        !self.is_stopped
    }

    /// Where the position that the game stands at belongs in the table.
    pub(super) fn place(&self, visit: Visit) -> Place {
        let position = self.game.position();
        let mut board = position.board_key();
        if self.bounded {
            let left = u64::from(self.plies - visit.plies());
            board ^= (left + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Place { board, hand: position.hand(self.attacker), path: visit.path }
    }

    /// Why the position that the game stands at is no mate, where it has been on the way before or ends
    /// the game although there are moves.
    pub(super) fn ends(&self) -> Option<Numbers> {
        if let Some(ply) = self.game.repetition().previous_ply
            && ply >= self.root_ply
        {
            return Some(Numbers::refuted((ply - self.root_ply) as u16 + 1));
        }
        self.game.end_with_moves().map(|_| Numbers::refuted(LIMITED))
    }

    /// The refutation by the number of plies.
    pub(super) const fn too_long(&self) -> Numbers {
        Numbers::refuted(if self.bounded { FREE } else { LIMITED })
    }
}
