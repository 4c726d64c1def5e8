use super::Search;
use crate::lanes;
use crate::outstanding::Pending;
use crate::tree::NO_NODE;
use crate::value::Value;
use crate::{ApplyError, Evaluation, LeafId};

impl Search {
    /// Gives an outstanding leaf its evaluation and backs it up.
    ///
    /// # Errors
    /// Refuses an unknown leaf and an evaluation that does not fit it; nothing changes then.
    pub fn apply(&mut self, id: LeafId, evaluation: &Evaluation<'_>) -> Result<(), ApplyError> {
        self.walk_back();
        let pending = self.outstanding.get(id).ok_or(ApplyError::UnknownLeaf)?;
        check(evaluation, pending.moves)?;
        let Some(pending) = self.outstanding.take(id) else { return Err(ApplyError::UnknownLeaf) };
        if let Some(node) = pending.node {
            self.tree.evaluate(node, evaluation);
        }
        self.unblock(&pending);
        let draw_value = self.draws.foreseen(pending.side);
        let value = Value::new(evaluation.wdl, draw_value);
        if pending.path.is_empty() {
            self.totals.add(value);
            self.prepare_root();
        } else {
            self.back_up_simulation(&pending.path, value.at_least(pending.floor), None);
        }
        self.outstanding.recycle(pending);
        Ok(())
    }

    /// Takes back the selection of an outstanding leaf as if it had never been made. A leaf that is
    /// not outstanding is left alone.
    pub fn cancel(&mut self, id: LeafId) {
        self.walk_back();
        let Some(pending) = self.outstanding.take(id) else { return };
        self.unblock(&pending);
        if let Some(&last) = pending.path.last() {
            if pending.node.is_some() {
                self.tree.edge_mut(last).node = NO_NODE;
            }
            self.totals.in_flight -= 1;
            if let Some(run) = &mut self.run {
                run.started -= 1;
                if let Some(selector) = &mut run.selector {
                    selector.restore(pending.mark.as_ref());
                }
            }
        }
        for &step in &pending.path {
            self.tree.edge_mut(step).totals.in_flight -= 1;
        }
        if let Some(node) = pending.node {
            self.tree.drop_if_last(node);
        }
        self.outstanding.recycle(pending);
    }

    pub(super) fn cancel_all(&mut self) {
        self.walk_back();
        while let Some(id) = self.outstanding.any() {
            self.cancel(id);
        }
    }

    /// Lets selection reach the leaf again, and what was blocked because of any leaf.
    fn unblock(&mut self, pending: &Pending) {
        if let Some(&last) = pending.path.last() {
            self.tree.edge_mut(last).blocked = false;
        }
        for &step in &self.blocked {
            self.tree.edge_mut(step).blocked = false;
        }
        self.blocked.clear();
    }
}

fn check(evaluation: &Evaluation<'_>, moves: usize) -> Result<(), ApplyError> {
    let logits = evaluation.logits;
    if logits.len() != moves {
        return Err(ApplyError::Length { logits: logits.len(), moves });
    }
    if let Some(index) = lanes::first_not_finite(logits) {
        return Err(ApplyError::Logit { index });
    }
    let crate::Wdl { win, draw, loss } = evaluation.wdl;
    let in_range = [win, draw, loss].iter().all(|chance| (0.0..=1.001).contains(chance));
    if !in_range || (win + draw + loss - 1.0).abs() > 0.001 {
        return Err(ApplyError::Wdl);
    }
    Ok(())
}
