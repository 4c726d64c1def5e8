use crate::GumbelSettings;
use crate::settings::Rescale;
use crate::tree::Edge;

/// sigma(q) = (c_visit + most visits) * c_scale * q over the completed Q of the root's moves, at one
/// moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sigma {
    /// Q of the moves that were not visited.
    mixed: f32,
    /// Rescaling: q becomes (q - lowest) / range.
    lowest: f32,
    range: f32,
    scale: f32,
}

impl Sigma {
    /// `scored` are at least those of the `edges` that have a score, in their order.
    pub(super) fn new<'a>(
        settings: &GumbelSettings,
        edges: &[Edge],
        scored: impl Iterator<Item = &'a Edge>,
        raw_score: f32,
    ) -> Self {
        let (mixed, most_visits) = mixed_score(scored, raw_score);
        let (lowest, range) = match settings.rescale {
            Rescale::None => (0.0, 1.0),
            Rescale::MinMax => bounds(edges, mixed),
        };
        let scale = (settings.c_visit + most_visits as f32) * settings.c_scale;
        Self { mixed, lowest, range, scale }
    }

    /// sigma of the completed Q of one move.
    pub(super) fn of(&self, edge: &Edge) -> f32 {
        let score = edge.score().unwrap_or(self.mixed);
        (score - self.lowest) / self.range * self.scale
    }
}

/// The score given to moves that were not visited: the evaluator's score of the root, mixed with
/// the visited moves' scores weighted by their priors (appendix D of the paper). And the most visits
/// of a move.
fn mixed_score<'a>(edges: impl Iterator<Item = &'a Edge>, raw_score: f32) -> (f32, u32) {
    let (mut visits, mut most_visits) = (0_u32, 0);
    let (mut prior_sum, mut weighted) = (0.0, 0.0);
    for edge in edges {
        if let Some(score) = edge.score() {
            let prior = edge.prior.max(f32::MIN_POSITIVE);
            prior_sum += prior;
            weighted += prior * score;
            visits += edge.totals.visits;
            most_visits = most_visits.max(edge.totals.visits);
        }
    }
    if visits == 0 {
        return (raw_score, 0);
    }
    let visits = visits as f32;
    ((raw_score + visits * weighted / prior_sum) / (visits + 1.0), most_visits)
}

/// The lowest completed Q and the distance to the highest.
fn bounds(edges: &[Edge], mixed: f32) -> (f32, f32) {
    let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
    for edge in edges {
        let score = edge.score().unwrap_or(mixed);
        lowest = lowest.min(score);
        highest = highest.max(score);
    }
    (lowest, (highest - lowest).max(1e-8))
}
