use keiko_shogi::Color;

use crate::LeafId;
use crate::halving::Halving;
use crate::tree::Step;

/// A leaf that waits for its evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// Edges from the root to the leaf; none for the root itself.
    pub(crate) path: Vec<Step>,
    /// The node made for the leaf; none if the tree is full.
    pub(crate) node: Option<u32>,
    /// Legal moves of the leaf.
    pub(crate) moves: usize,
    /// Score of the draw that the side to move may declare.
    pub(crate) floor: Option<f32>,
    /// Side to move at the leaf.
    pub(crate) side: Color,
    /// The root's halving before the leaf was selected.
    pub(crate) mark: Option<Halving>,
}

/// The leaves that wait for their evaluations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outstanding {
    slots: Vec<Option<Pending>>,
    serials: Vec<u32>,
    free: Vec<u32>,
    /// Paths of leaves that are done, kept for their memory.
    paths: Vec<Vec<Step>>,
}

impl Outstanding {
    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.slots.len()
    }

    /// A copy of `path` in memory that was used before.
    pub(crate) fn path(&mut self, path: &[Step]) -> Vec<Step> {
        let mut copy = self.paths.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(path);
        copy
    }

    pub(crate) fn insert(&mut self, pending: Pending) -> LeafId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.serials.push(0);
            self.slots.len() as u32 - 1
        });
        self.slots[slot as usize] = Some(pending);
        LeafId { slot, serial: self.serials[slot as usize] }
    }

    pub(crate) fn get(&self, id: LeafId) -> Option<&Pending> {
        let serial = *self.serials.get(id.slot as usize)?;
        self.slots[id.slot as usize].as_ref().filter(|_| serial == id.serial)
    }

    pub(crate) fn take(&mut self, id: LeafId) -> Option<Pending> {
        self.get(id)?;
        self.serials[id.slot as usize] = id.serial.wrapping_add(1);
        self.free.push(id.slot);
        self.slots[id.slot as usize].take()
    }

    /// Any one of the leaves.
    pub(crate) fn any(&self) -> Option<LeafId> {
        let slot = self.slots.iter().position(Option::is_some)?;
        Some(LeafId { slot: slot as u32, serial: self.serials[slot] })
    }

    /// Takes back the memory of a leaf that is done.
    pub(crate) fn recycle(&mut self, pending: Pending) {
        self.paths.push(pending.path);
    }
}
