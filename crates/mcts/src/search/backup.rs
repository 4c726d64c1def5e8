use super::{ROOT, Search};
use crate::Proof;
use crate::tree::Step;
use crate::value::Value;

impl Search {
    /// Backs up one simulation and counts it.
    pub(super) fn back_up_simulation(&mut self, path: &[Step], leaf: Value, proof: Option<Proof>) {
        self.back_up(path, leaf, proof);
        self.totals.in_flight -= 1;
        if let Some(run) = &mut self.run {
            run.applied += 1;
            if let Some(stop) = &mut run.early_stop {
                let left = run.limit.simulations - run.applied;
                stop.look(self.tree.edges(ROOT), run.applied, left);
            }
        }
    }

    /// Adds a leaf's value (for the side to move there) to every edge of its path, whose visit on
    /// its way it replaces, and to the root. A `proof` of the leaf goes up as far as it proves.
    pub(super) fn back_up(&mut self, path: &[Step], leaf: Value, proof: Option<Proof>) {
        let (mut value, mut proof) = (leaf, proof);
        for &step in path.iter().rev() {
            value = value.flipped();
            let edge = self.tree.edge_mut(step);
            edge.totals.in_flight -= 1;
            edge.totals.add(value);
            if step.node == ROOT
                && let Some(selector) = self.run.as_mut().and_then(|run| run.selector.as_mut())
            {
                selector.note(step.slot, value.score);
            }
            let news = proof.filter(|_| edge.proof.is_none()).map(Proof::flipped);
            proof = news.and_then(|proof| self.tree.prove(step, proof, value.score as f32));
            let node = self.tree.node(step.node);
            value = match node.proven_value() {
                Some(exact) if proof.is_some() => exact,
                _ if step.node == ROOT => value,
                _ => value.at_least(node.floor),
            };
        }
        self.totals.add(value);
    }
}
