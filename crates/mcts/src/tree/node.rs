use std::ops::Range;

use crate::value::Value;
use crate::{Proof, Wdl};

/// A position whose moves may be tried. All values are for the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(super) first_candidate: u32,
    pub(super) first_edge: u32,
    pub(super) candidates: u16,
    /// Candidates that have an edge: the first ones.
    pub(super) tried: u16,
    /// Candidates proven to lose or draw.
    settled: u16,
    /// Size class of the edges' block; none before the first edge.
    pub(super) class: Option<u8>,
    pub(crate) proof: Option<Proof>,
    /// Score, 0 to 1, of the best candidate that is proven to draw.
    best_draw: Option<f32>,
    /// Score, 0 to 1, of the draw that the side to move may declare instead of moving.
    pub(crate) floor: Option<f32>,
    /// The evaluator's chances; none until the evaluation is applied.
    pub(crate) wdl: Option<Wdl>,
}

impl Node {
    pub(super) fn new(first_candidate: u32, candidates: u16, floor: Option<f32>) -> Self {
        Self {
            first_candidate,
            first_edge: 0,
            candidates,
            tried: 0,
            settled: 0,
            class: None,
            proof: None,
            best_draw: None,
            floor,
            wdl: None,
        }
    }

    /// The same node with its moves and edges at other places.
    pub(super) fn moved_to(&self, first_candidate: u32, first_edge: u32) -> Self {
        Self { first_candidate, first_edge, ..*self }
    }

    pub(super) fn candidates(&self) -> Range<usize> {
        let first = self.first_candidate as usize;
        first..first + usize::from(self.candidates)
    }

    pub(super) fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.tried)
    }

    pub(super) fn capacity(&self) -> u16 {
        self.class.map_or(0, |class| Self::block_len(class) as u16)
    }

    pub(super) fn block_len(class: u8) -> usize {
        2 << class
    }

    /// Counts a candidate's certain result and says whether the node is proven by it.
    pub(super) fn count_proof(&mut self, proof: Proof, score: f32) -> Option<Proof> {
        match proof {
            Proof::Win => {}
            Proof::Draw => {
                self.settled += 1;
                self.best_draw = Some(self.best_draw.map_or(score, |best| best.max(score)));
            }
            Proof::Loss => self.settled += 1,
        }
        if self.proof.is_some() {
            return None;
        }
        if proof == Proof::Win {
            self.proof = Some(Proof::Win);
        } else if self.settled == self.candidates {
            let draws = self.best_draw.is_some() || self.floor.is_some();
            self.proof = Some(if draws { Proof::Draw } else { Proof::Loss });
        }
        self.proof
    }

    pub(super) fn forget_floor(&mut self) {
        if self.floor.take().is_some()
            && self.proof == Some(Proof::Draw)
            && self.best_draw.is_none()
        {
            self.proof = Some(Proof::Loss);
        }
    }

    /// The node's value once its result is certain.
    pub(crate) fn proven_value(&self) -> Option<Value> {
        let draw = self.best_draw.into_iter().chain(self.floor).fold(0.0, f32::max);
        self.proof.map(|proof| Value::proven(proof, draw))
    }
}
