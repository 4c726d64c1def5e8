use crate::PuctSettings;
use crate::puct::{Parent, Puct};
use crate::spread::Spread;
use crate::tree::Edge;

/// Share of the most visits that a move needs to be played for its lower confidence bound.
const LCB_MIN_SHARE: f32 = 0.15;

/// AlphaZero's root for one search, with KataGo's forced playouts and lower confidence bounds where the settings
/// ask for them.
///
/// All slices are by slot of the root's edges, of which every legal move has one.
#[derive(Clone, Debug)]
pub(crate) struct PuctRoot {
    puct: Puct,
    /// Factor of forced playouts; 0 = none.
    forced_playouts: f32,
    /// Standard errors below the mean; 0 = visits decide.
    lcb_stdevs: f32,
    /// By slot; empty where visits decide.
    spreads: Vec<Spread>,
}

impl PuctRoot {
    /// A root of so many moves, without forced playouts.
    pub(crate) fn new(settings: &PuctSettings, moves: usize) -> Self {
        let lcb_stdevs = settings.lcb_stdevs;
        let spreads = if lcb_stdevs > 0.0 { vec![Spread::default(); moves] } else { Vec::new() };
        Self { puct: Puct::root(settings), forced_playouts: 0.0, lcb_stdevs, spreads }
    }

    /// With forced playouts as the settings have them.
    pub(crate) fn forcing(self, settings: &PuctSettings) -> Self {
        Self { forced_playouts: settings.forced_playouts, ..self }
    }

    /// The slot to visit next; none if all that may be visited are blocked.
    pub(crate) fn select(&self, parent: Parent, edges: &[Edge]) -> Option<usize> {
        self.forced(edges).or_else(|| self.puct.select(parent, edges))
    }

    /// The first visited move that has fewer visits than it is to have.
    fn forced(&self, edges: &[Edge]) -> Option<usize> {
        if self.forced_playouts <= 0.0 {
            return None;
        }
        let visits = |edge: &Edge| edge.totals.visits + edge.totals.in_flight;
        let all = edges.iter().map(visits).sum();
        edges.iter().position(|edge| {
            let open = edge.proof.is_none() && !edge.blocked && visits(edge) > 0;
            open && (visits(edge) as f32) < self.forced_visits(edge, all)
        })
    }

    /// The visits that a move is to have where all moves have `all` of them.
    fn forced_visits(&self, edge: &Edge, all: u32) -> f32 {
        (self.forced_playouts * edge.prior * all as f32).sqrt()
    }

    /// Notes the score that a visit of a move brought, 0 to 1.
    pub(crate) fn note(&mut self, slot: u16, score: f64) {
        if let Some(spread) = self.spreads.get_mut(usize::from(slot)) {
            spread.add(score);
        }
    }

    /// What the move to play is ranked by, losing moves last: the lower confidence bound of moves with enough
    /// visits, or the visits.
    pub(crate) fn rank(&self, edges: &[Edge]) -> impl Fn(usize) -> (bool, f32) {
        let most = edges.iter().filter(|edge| !edge.loses()).map(|edge| edge.totals.visits).max();
        let enough = (LCB_MIN_SHARE * most.unwrap_or(0) as f32).max(1.0);
        move |slot| {
            let edge = &edges[slot];
            let visits = edge.totals.visits as f32;
            let bound = match edge.score() {
                _ if self.lcb_stdevs <= 0.0 => visits,
                Some(score) if edge.proof.is_some() => score,
                Some(score) if visits >= enough => {
                    score - self.lcb_stdevs * self.spreads[slot].standard_error(&edge.totals)
                }
                _ => f32::NEG_INFINITY,
            };
            (!edge.loses(), bound)
        }
    }

    /// The visits that the policy to learn is made of: of the forced ones those are left out that PUCT would not
    /// have made, as far as a move's worth stays below the most visited move's, and the last one with them.
    pub(crate) fn wanted_visits(&self, edges: &[Edge]) -> Vec<f64> {
        let all: u32 = edges.iter().map(|edge| edge.totals.visits).sum();
        let alive = || edges.iter().filter(|edge| !edge.loses());
        let most = alive().map(|edge| edge.totals.visits).max().unwrap_or(0);
        let exploration = self.puct.exploration(all + 1);
        let worth = |edge: &Edge| {
            let mean = edge.score().unwrap_or(0.0);
            mean + exploration * edge.prior / (1.0 + edge.totals.visits as f32)
        };
        let first = alive().find(|edge| edge.totals.visits == most).map_or(0.0, worth);
        let wanted = |edge: &Edge| {
            let visits = edge.totals.visits as f32;
            if self.forced_playouts <= 0.0 || edge.totals.visits == most {
                return visits;
            }
            let below = first - edge.score().unwrap_or(0.0);
            let needed = if below > 0.0 { exploration * edge.prior / below - 1.0 } else { visits };
            let wanted = (visits - self.forced_visits(edge, all)).max(needed).min(visits);
            if wanted < visits && wanted <= 1.0 { 0.0 } else { wanted }
        };
        edges.iter().map(|edge| f64::from(wanted(edge))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;
    use crate::value::Value;

    fn edge(prior: f32, scores: &[f32]) -> Edge {
        let mut edge = Edge::new(prior);
        for &score in scores {
            let wdl = Wdl { win: score, draw: 0.0, loss: 1.0 - score };
            edge.totals.add(Value::new(wdl, 0.5));
        }
        edge
    }

    /// Whole visits taken away one by one while PUCT would still prefer the first move.
    #[test]
    fn pruning_takes_as_much_as_puct_allows() {
        let settings = PuctSettings { forced_playouts: 2.0, ..PuctSettings::USUAL };
        let root = PuctRoot::new(&settings, 4).forcing(&settings);
        let mut taken = 0;
        for case in 0..81_u32 {
            let digit = |place: u32| case / 3_u32.pow(place) % 3;
            let edges = [
                edge(0.4, &[0.6; 60]),
                edge(0.3, &vec![0.3 + 0.1 * digit(0) as f32; 9 + digit(1) as usize]),
                edge(0.2, &[0.1 + 0.2 * digit(2) as f32; 6]),
                edge(0.1, &vec![0.2; 1 + digit(3) as usize]),
            ];
            let all: u32 = edges.iter().map(|edge| edge.totals.visits).sum();
            let exploration = root.puct.exploration(all + 1);
            let worth = |edge: &Edge, visits: f32| {
                edge.totals.mean_score() + exploration * edge.prior / (1.0 + visits)
            };
            let first = worth(&edges[0], 60.0);
            let wanted = root.wanted_visits(&edges);
            assert!((wanted[0] - 60.0).abs() < 1e-9);
            for (edge, &wanted) in edges[1..].iter().zip(&wanted[1..]) {
                let forced = root.forced_visits(edge, all);
                let mut left = edge.totals.visits as f32;
                while left - 1e-3 >= edge.totals.visits as f32 - forced
                    && left > 0.0
                    && worth(edge, left - 1e-3) < first
                {
                    left -= 1e-3;
                }
                let pruned = left < edge.totals.visits as f32 && left <= 1.0;
                let expected = if pruned { 0.0 } else { left };
                assert!((wanted as f32 - expected).abs() < 0.01, "{wanted}, not {expected}");
                taken += u32::from(wanted as f32 + 0.5 < edge.totals.visits as f32);
            }
        }
        assert!(taken > 60, "{taken} moves lose visits");
    }

    /// Of two moves with the same mean, the steadier one; a move with few visits is out.
    #[test]
    fn the_bound_prefers_what_is_sure() {
        let settings = PuctSettings { lcb_stdevs: 2.0, ..PuctSettings::USUAL };
        let mut root = PuctRoot::new(&settings, 3);
        let scores: [&[f32]; 3] = [&[0.1, 0.9].repeat(5), &[0.45, 0.55].repeat(4), &[0.9]];
        for (slot, scores) in scores.iter().enumerate() {
            scores.iter().for_each(|&score| root.note(slot as u16, f64::from(score)));
        }
        let mut edges = scores.map(|scores| edge(0.3, scores));
        let rank = root.rank(&edges);
        assert!(rank(1) > rank(0) && rank(0) > rank(2), "{:?}", [rank(0), rank(1), rank(2)]);
        let error = root.spreads[1].standard_error(&edges[1].totals);
        assert!((rank(1).1 - (0.5 - 2.0 * error)).abs() < 1e-6);
        drop(rank);
        edges[1].proof = Some(crate::Proof::Loss);
        let rank = root.rank(&edges);
        assert!(rank(0) > rank(1));
    }
}
