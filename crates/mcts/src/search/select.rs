use keiko_shogi::Game;

use super::judge::Verdict;
use super::{ROOT, Search};
use crate::early_stop::EarlyStop;
use crate::halving::Halving;
use crate::outstanding::Pending;
use crate::puct::Parent;
use crate::tree::{Edge, NO_NODE, Step};
use crate::value::Value;
use crate::{Leaf, Proof, Selection};

impl Search {
    /// Runs simulations until one needs an evaluation, and hands that out. Simulations that end in
    /// a certain result are counted and backed up on the way.
    ///
    /// The first leaf of a new root is the root itself. Several leaves may be outstanding; how many
    /// is the caller's choice. Before [`begin`](Search::begin) nothing is to be done.
    pub fn select(&mut self) -> Selection<'_> {
        self.walk_back();
        if self.run.is_none() {
            return Selection::Done;
        }
        if !self.has_root() {
            return self.select_root();
        }
        while self.wants_more() {
            if !self.descend() {
                return Selection::Wait;
            }
            let mark = self.count_selected();
            if self.finish_known() {
                continue;
            }
            self.walk_path();
            match self.judge() {
                Verdict::Decided(proof, draw_score) => {
                    self.finish_judged(Value::proven(proof, draw_score), Some(proof));
                }
                Verdict::Assumed(result) => self.finish_judged(Value::proven(result, 0.0), None),
                Verdict::Open(floor) => return self.hand_out(floor, mark),
            }
        }
        if self.is_proven() || self.outstanding.is_empty() {
            Selection::Done
        } else {
            Selection::Wait
        }
    }

    fn is_proven(&self) -> bool {
        self.tree.node(ROOT).proof.is_some()
    }

    fn wants_more(&self) -> bool {
        let open = self.run.as_ref().is_some_and(|run| {
            let is_over = run.early_stop.as_ref().is_some_and(EarlyStop::is_over);
            run.started < run.limit.simulations && !is_over
        });
        open && !self.is_proven()
    }

    fn select_root(&mut self) -> Selection<'_> {
        if !self.outstanding.is_empty() {
            return Selection::Wait;
        }
        self.path.clear();
        self.generate_moves();
        self.tree.clear();
        self.hand_out(None, None)
    }

    /// Finds the edges to a leaf or to a certain result. False if everything is blocked.
    fn descend(&mut self) -> bool {
        'root: loop {
            self.path.clear();
            let Some(slot) = self.select_at_root() else { return false };
            let mut step = Step { node: ROOT, slot: slot as u16 };
            loop {
                self.path.push(step);
                let edge = self.tree.edge(step);
                if edge.node == NO_NODE || edge.proof.is_some() {
                    return true;
                }
                let node = edge.node;
                let next_prior = self.tree.next_with_room(node);
                let parent = Parent {
                    visits: edge.totals.visits + edge.totals.in_flight,
                    score: 1.0 - edge.totals.mean_score(),
                    next_prior,
                };
                let edges = self.tree.edges(node);
                let Some(slot) = self.interior.select(parent, edges) else {
                    if edges.iter().all(Edge::loses) {
                        // Other moves have no room; the position is evaluated again at each visit.
                        return true;
                    }
                    self.tree.edge_mut(step).blocked = true;
                    self.blocked.push(step);
                    continue 'root;
                };
                if slot == edges.len() {
                    self.tree.try_next(node);
                }
                step = Step { node, slot: slot as u16 };
            }
        }
    }

    fn select_at_root(&mut self) -> Option<usize> {
        let raw_score = self.raw_root_score();
        let parent = Parent {
            visits: self.totals.visits + self.totals.in_flight,
            score: self.totals.mean_score(),
            next_prior: None,
        };
        let selector = self.run.as_mut()?.selector.as_mut()?;
        selector.select(parent, raw_score, self.tree.edges(ROOT))
    }

    /// Marks the path as one visit on its way and returns what undoes that at the root.
    fn count_selected(&mut self) -> Option<Halving> {
        self.totals.in_flight += 1;
        for &step in &self.path {
            self.tree.edge_mut(step).totals.in_flight += 1;
        }
        let run = self.run.as_mut()?;
        run.started += 1;
        let selector = run.selector.as_mut()?;
        let mark = selector.mark();
        selector.advance();
        mark
    }

    /// Backs up the simulation if its last edge has a certain result already.
    fn finish_known(&mut self) -> bool {
        let Some(edge) = self.path.last().map(|&step| self.tree.edge(step)) else { return false };
        let Some(proof) = edge.proof else { return false };
        let value = Value::proven(proof, edge.proven_score).flipped();
        let path = std::mem::take(&mut self.path);
        self.back_up_simulation(&path, value, None);
        self.path = path;
        true
    }

    /// Backs up the simulation whose leaf needs no evaluation.
    fn finish_judged(&mut self, value: Value, proof: Option<Proof>) {
        self.walk_back();
        let path = std::mem::take(&mut self.path);
        self.back_up_simulation(&path, value, proof);
        self.path = path;
    }

    fn walk_path(&mut self) {
        for &step in &self.path {
            self.game.play(self.tree.mv(step));
            if let Some(hands) = &mut self.hands {
                hands.push(self.game.position());
            }
        }
        self.walked = self.path.len();
    }

    /// Makes the position that the game stands at an outstanding leaf; its legal moves are in
    /// `self.moves`.
    fn hand_out(&mut self, floor: Option<f32>, mark: Option<Halving>) -> Selection<'_> {
        let grows = self.path.is_empty() || !self.tree.is_full();
        let node = grows.then(|| self.tree.add_node(&self.moves, floor));
        if let Some(&last) = self.path.last() {
            let edge = self.tree.edge_mut(last);
            edge.node = node.unwrap_or(edge.node);
            edge.blocked = true;
        }
        let game: &Game = &self.game;
        let path = self.outstanding.path(&self.path);
        let id = self.outstanding.insert(Pending {
            path,
            node,
            moves: self.moves.len(),
            floor,
            side: game.position().side_to_move(),
            mark,
        });
        Selection::Leaf(Leaf { id, game, moves: &self.moves })
    }
}
