use keiko_shogi::Move;

use super::{ROOT, Search};
use crate::tree::{Edge, NO_NODE};
use crate::{RootMove, RootSummary};

impl Search {
    /// What the search has found so far; outstanding leaves are not in it.
    ///
    /// # Panics
    /// Panics before the evaluation of the root is applied in a search that has begun.
    #[must_use]
    pub fn summary(&self) -> RootSummary {
        let run = self.run.as_ref().expect("a summary needs a search that has begun");
        let selector = run.selector.as_ref().expect("a summary needs an evaluated root");
        let root = self.tree.node(ROOT);
        let raw_wdl = root.wdl.expect("the root is evaluated");
        let raw_score = self.raw_root_score();
        let edges = self.tree.edges(ROOT);
        let priors = self.tree.priors(ROOT);
        let policy = selector.policy(raw_score, edges, priors);
        let best = selector.best(raw_score, edges).expect("the root has a legal move");
        let (wdl, score) = match root.proven_value() {
            Some(value) => (value.wdl, value.score as f32),
            None => {
                let losing = edges.iter().filter(|edge| edge.loses());
                let totals = losing.fold(self.totals, |rest, edge| rest.without(&edge.totals));
                (totals.mean_wdl(), totals.mean_score())
            }
        };
        let root_move = |(slot, edge): (usize, &Edge)| RootMove {
            mv: self.tree.moves(ROOT)[slot],
            visits: edge.totals.visits,
            wdl: edge.wdl().unwrap_or(wdl),
            score: edge.score().unwrap_or(score),
            prior: priors[slot],
            policy: policy[slot],
            proof: edge.proof,
        };
        let mut moves: Vec<RootMove> = edges.iter().enumerate().map(root_move).collect();
        moves.sort_unstable_by_key(|root_move| root_move.mv);
        RootSummary {
            moves,
            wdl,
            score,
            raw_wdl,
            best: self.tree.moves(ROOT)[best],
            simulations: run.applied,
            proven: root.proof,
        }
    }

    /// The line that the search expects after a move of the root, that move first: the most visited
    /// move of each node, a proven win before it. Empty if the move was not searched.
    #[must_use]
    pub fn variation(&self, first: Move) -> Vec<Move> {
        let mut line = Vec::new();
        if !self.has_root() {
            return line;
        }
        let mut node = ROOT;
        let root_moves = self.tree.moves(ROOT);
        let mut slot = root_moves.iter().position(|&mv| mv == first);
        while let Some(found) = slot {
            let Some(edge) = self.tree.edges(node).get(found) else { break };
            if edge.totals.visits == 0 && edge.proof.is_none() {
                break;
            }
            line.push(self.tree.moves(node)[found]);
            node = edge.node;
            if node == NO_NODE {
                break;
            }
            let rank = |edge: &Edge| (edge.wins(), !edge.loses(), edge.totals.visits);
            let edges = self.tree.edges(node);
            slot = (0..edges.len()).reduce(|best, slot| {
                if rank(&edges[slot]) > rank(&edges[best]) { slot } else { best }
            });
        }
        line
    }
}
