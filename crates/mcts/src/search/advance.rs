use keiko_shogi::Move;

use super::{ROOT, Search};
use crate::totals::Totals;
use crate::tree::NO_NODE;

impl Search {
    /// Plays a legal move at the root. By the settings the subtree behind it is kept, or the tree
    /// is dropped. Outstanding leaves are cancelled, and the search ends: a new one needs
    /// [`begin`](Search::begin).
    pub fn advance(&mut self, mv: Move) {
        self.cancel_all();
        self.run = None;
        let kept = if self.settings.reuse_subtree { self.child(mv) } else { None };
        if let Some((node, totals)) = kept {
            self.tree.keep(node);
            self.tree.forget_floor(ROOT);
            self.totals = totals;
        } else {
            self.tree.clear();
            self.totals = Totals::default();
        }
        self.game.play(mv);
        if let Some(hands) = &mut self.hands {
            hands.push(self.game.position());
        }
    }

    /// The evaluated node behind a move of the root and its visits, for the side to move there.
    fn child(&self, mv: Move) -> Option<(u32, Totals)> {
        if !self.has_root() {
            return None;
        }
        let slot = self.tree.moves(ROOT).iter().position(|&candidate| candidate == mv)?;
        let edge = self.tree.edges(ROOT).get(slot)?;
        (edge.node != NO_NODE).then(|| (edge.node, edge.totals.flipped()))
    }
}
