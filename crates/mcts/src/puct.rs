use crate::PuctSettings;
use crate::tree::Edge;

/// The constants of one level of PUCT; see [`PuctSettings`] for the formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Puct {
    c_init: f32,
    c_base: f32,
    fpu_reduction: f32,
}

/// The node whose edges are compared, for the side to move there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    /// Visits of the node, its own evaluation and those on their way included.
    pub(crate) visits: u32,
    /// Mean score of the applied visits, 0 to 1.
    pub(crate) score: f32,
    /// Highest prior of the moves without an edge.
    pub(crate) next_prior: Option<f32>,
}

impl Puct {
    pub(crate) fn root(settings: &PuctSettings) -> Self {
        Self {
            c_init: settings.root_c_init,
            c_base: settings.root_c_base,
            fpu_reduction: settings.root_fpu_reduction,
        }
    }

    pub(crate) fn interior(settings: &PuctSettings) -> Self {
        Self {
            c_init: settings.c_init,
            c_base: settings.c_base,
            fpu_reduction: settings.fpu_reduction,
        }
    }

    /// c * sqrt(N) of a node with so many visits.
    #[inline]
    pub(crate) fn exploration(&self, visits: u32) -> f32 {
        let visits = visits as f32;
        (self.c_init + ((visits + self.c_base + 1.0) / self.c_base).ln()) * visits.sqrt()
    }

    /// Slot of the edge to follow, which is the number of edges for the next move without one, or
    /// none if every move is blocked or proven to lose.
    ///
    /// All unvisited moves have the same score, so only the one of the highest prior matters.
    pub(crate) fn select(&self, parent: Parent, edges: &[Edge]) -> Option<usize> {
        let exploration = self.exploration(parent.visits);
        let mut best = None;
        let mut best_score = f32::NEG_INFINITY;
        let mut unvisited = None;
        let mut visited_prior = 0.0;
        for (slot, edge) in edges.iter().enumerate() {
            let totals = &edge.totals;
            let visits = totals.visits + totals.in_flight;
            if visits > 0 {
                visited_prior += edge.prior;
            }
            if edge.blocked || edge.loses() {
                continue;
            }
            if visits == 0 && edge.proof.is_none() {
                if unvisited.is_none_or(|(_, prior)| edge.prior > prior) {
                    unvisited = Some((slot, edge.prior));
                }
                continue;
            }
            let visits = visits as f32;
            let mean =
                if edge.proof.is_some() { edge.proven_score } else { totals.score as f32 / visits };
            let score = mean + exploration * edge.prior / (1.0 + visits);
            if score > best_score {
                best_score = score;
                best = Some(slot);
            }
        }
        if let Some(next) = parent.next_prior
            && unvisited.is_none_or(|(_, prior)| next > prior)
        {
            unvisited = Some((edges.len(), next));
        }
        if let Some((slot, prior)) = unvisited {
            let first = (parent.score - self.fpu_reduction * visited_prior.sqrt()).max(0.0);
            if first + exploration * prior > best_score {
                best = Some(slot);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Proof;
    use crate::value::Value;

    const PUCT: Puct = Puct { c_init: 1.25, c_base: 19652.0, fpu_reduction: 0.2 };

    fn edge(prior: f32, visits: u32, score: f32) -> Edge {
        let mut edge = Edge::new(prior);
        for _ in 0..visits {
            edge.totals
                .add(Value::new(crate::Wdl { win: score, draw: 0.0, loss: 1.0 - score }, 0.5));
        }
        edge
    }

    /// The formula of the documentation, one move at a time.
    fn slow(parent: Parent, edges: &[Edge]) -> usize {
        let n = f64::from(parent.visits);
        let c = 1.25 + ((n + 19653.0) / 19652.0).ln();
        let mass: f64 =
            edges.iter().filter(|e| e.totals.visits > 0).map(|e| f64::from(e.prior)).sum();
        let worth = |edge: &Edge| {
            let q = match edge.totals.visits {
                0 => (f64::from(parent.score) - 0.2 * mass.sqrt()).max(0.0),
                visits => edge.totals.score / f64::from(visits),
            };
            q + c * f64::from(edge.prior) * n.sqrt() / (1.0 + f64::from(edge.totals.visits))
        };
        (0..edges.len()).max_by(|&a, &b| worth(&edges[a]).total_cmp(&worth(&edges[b]))).unwrap()
    }

    #[test]
    fn follows_the_formula() {
        let priors = [0.3, 0.25, 0.2, 0.15, 0.1];
        let mut chosen = std::collections::BTreeSet::new();
        for case in 0..243_u32 {
            let edges: Vec<Edge> = (0..5)
                .map(|i| {
                    let digit = case / 3_u32.pow(i) % 3;
                    edge(priors[i as usize], digit * 3, 0.2 + 0.13 * (i * digit) as f32 / 2.0)
                })
                .collect();
            let visits = 1 + edges.iter().map(|e| e.totals.visits).sum::<u32>();
            let parent = Parent { visits, score: 0.45, next_prior: None };
            let slot = PUCT.select(parent, &edges).unwrap();
            assert_eq!(slot, slow(parent, &edges), "case {case}");
            chosen.insert(slot);
        }
        assert!(chosen.len() >= 4, "the cases cover the slots: {chosen:?}");
    }

    #[test]
    fn losing_and_blocked_moves_are_left_out() {
        let mut edges = vec![edge(0.6, 5, 0.9), edge(0.3, 2, 0.4), edge(0.1, 1, 0.1)];
        let parent = Parent { visits: 9, score: 0.5, next_prior: None };
        assert_eq!(PUCT.select(parent, &edges), Some(0));
        edges[0].proof = Some(Proof::Loss);
        assert_eq!(PUCT.select(parent, &edges), Some(1));
        edges[1].blocked = true;
        assert_eq!(PUCT.select(parent, &edges), Some(2));
        edges[2].blocked = true;
        assert_eq!(PUCT.select(parent, &edges), None);
        assert_eq!(PUCT.select(Parent { next_prior: Some(0.0), ..parent }, &edges), Some(3));
    }

    #[test]
    fn an_unvisited_move_is_never_taken_for_a_draw() {
        // In a lost position, a move of low prior does not look like a draw beside visited ones.
        let edges = vec![edge(0.98, 40, 0.06)];
        let parent = Parent { visits: 41, score: 0.06, next_prior: Some(0.001) };
        assert_eq!(PUCT.select(parent, &edges), Some(0));
    }
}
