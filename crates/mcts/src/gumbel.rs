mod sigma;

use rand::Rng;
use sigma::Sigma;

use crate::GumbelSettings;
use crate::halving::Halving;
use crate::lanes;
use crate::random;
use crate::softmax::softmax_in_place;
use crate::tree::Edge;

/// The root of Danihelka et al. 2022, "Policy improvement by planning with Gumbel", for one search.
///
/// All slices are by slot of the root's edges, of which every legal move has one.
#[derive(Clone, Debug)]
pub(crate) struct GumbelRoot {
    settings: GumbelSettings,
    noise: Vec<f32>,
    logits: Vec<f32>,
    /// Visits kept from an earlier search: halving counts only new ones.
    kept_visits: Vec<u32>,
    halving: Halving,
    /// The slots that have been visited or proven, the lowest first. They are few of many, and the others are all alike:
    /// no visit, no score, neither proven nor blocked.
    tried: Vec<usize>,
    /// Noise + logit of the others; negative infinity of those tried.
    untried: Vec<f32>,
}

impl GumbelRoot {
    /// A root without noise.
    pub(crate) fn new(settings: &GumbelSettings, edges: &[Edge], simulations: u32) -> Self {
        let alive = edges.iter().filter(|edge| !edge.loses()).count();
        let considered = settings.max_considered.min(alive as u32).max(1);
        let logits: Vec<f32> =
            edges.iter().map(|edge| edge.prior.max(f32::MIN_POSITIVE).ln()).collect();
        let mut root = Self {
            settings: *settings,
            noise: vec![0.0; edges.len()],
            untried: logits.clone(),
            logits,
            kept_visits: edges.iter().map(|edge| edge.totals.visits).collect(),
            halving: Halving::new(considered, simulations),
            tried: Vec::new(),
        };
        for slot in (0..edges.len()).filter(|&slot| edges[slot].score().is_some()) {
            root.note_tried(slot);
        }
        root
    }

    pub(crate) fn add_noise(&mut self, rng: &mut impl Rng) {
        for (noise, untried) in self.noise.iter_mut().zip(&mut self.untried) {
            *noise = self.settings.scale * random::gumbel(rng);
            *untried += *noise;
        }
    }

    pub(crate) fn halving(&self) -> &Halving {
        &self.halving
    }

    /// Halves by another number of simulations in all.
    pub(crate) fn plan(&mut self, simulations: u32) {
        self.halving.plan(simulations);
    }

    /// Goes on to the next simulation.
    pub(crate) fn advance(&mut self) {
        self.halving.advance();
    }

    /// Goes back to `earlier` unless it is later.
    pub(crate) fn restore(&mut self, earlier: &Halving) {
        if earlier.simulation() < self.halving.simulation() {
            self.halving = earlier.clone();
        }
    }

    /// The move to visit: of those with the considered number of visits, the best by
    /// noise + logit + sigma(completed Q). None if all of those are blocked.
    ///
    /// A move that is proven to lose leaves the halving: where its turn would be the halving goes
    /// on, and when only moves with fewer visits remain, the most visited of these come back.
    pub(crate) fn select(&mut self, edges: &[Edge], raw_score: f32) -> Option<usize> {
        let tried = self.tried.iter().map(|&slot| &edges[slot]);
        let sigma = Sigma::new(&self.settings, edges, tried, raw_score);
        loop {
            let considered = self.halving.visits();
            let without_visits = self.tried.len() < edges.len();
            let mut equal = without_visits && considered == 0;
            let (mut more, mut fewer) = (false, (without_visits && considered > 0).then_some(0));
            for &slot in self.tried.iter().filter(|&&slot| !edges[slot].loses()) {
                let visits = self.new_visits(slot, &edges[slot]);
                equal |= visits == considered;
                more |= visits > considered;
                if visits < considered {
                    fewer = fewer.max(Some(visits));
                }
            }
            if !equal && more {
                self.halving.advance();
                continue;
            }
            let slot = self.best_with(&sigma, edges, if equal { considered } else { fewer? })?;
            self.note_tried(slot);
            return Some(slot);
        }
    }

    fn note_tried(&mut self, slot: usize) {
        if let Err(place) = self.tried.binary_search(&slot) {
            self.tried.insert(place, slot);
            self.untried[slot] = f32::NEG_INFINITY;
        }
    }

    /// The move to play: the most visited of this search, the best of these by noise + logit +
    /// sigma(completed Q). Losing moves only if there are no others.
    pub(crate) fn best(&self, edges: &[Edge], raw_score: f32) -> Option<usize> {
        let sigma = Sigma::new(&self.settings, edges, edges.iter(), raw_score);
        let all_lose = edges.iter().all(Edge::loses);
        let eligible = || edges.iter().enumerate().filter(|(_, edge)| all_lose || !edge.loses());
        let applied = |slot: usize, edge: &Edge| edge.totals.visits - self.kept_visits[slot];
        let most = eligible().map(|(slot, edge)| applied(slot, edge)).max()?;
        let most_visited = eligible().filter(|(slot, edge)| applied(*slot, edge) == most);
        self.argmax(&sigma, edges, most_visited.map(|(slot, _)| slot))
    }

    /// softmax(logits + sigma(completed Q)).
    pub(crate) fn improved_policy(&self, edges: &[Edge], raw_score: f32) -> Vec<f32> {
        let sigma = Sigma::new(&self.settings, edges, edges.iter(), raw_score);
        let mut policy: Vec<f32> =
            self.logits.iter().zip(edges).map(|(logit, edge)| logit + sigma.of(edge)).collect();
        softmax_in_place(&mut policy);
        policy
    }

    fn new_visits(&self, slot: usize, edge: &Edge) -> u32 {
        edge.totals.visits + edge.totals.in_flight - self.kept_visits[slot]
    }

    fn best_with(&self, sigma: &Sigma, edges: &[Edge], visits: u32) -> Option<usize> {
        let tried = self.tried.iter().copied().filter(|&slot| {
            let edge = &edges[slot];
            !edge.loses() && !edge.blocked && self.new_visits(slot, edge) == visits
        });
        let untried = if visits == 0 { self.best_untried() } else { None };
        self.argmax(sigma, edges, tried.chain(untried))
    }

    /// The first of the best; sigma is the same for all of them.
    fn best_untried(&self) -> Option<usize> {
        let highest = lanes::highest(&self.untried);
        let is_one = highest > f32::NEG_INFINITY;
        is_one.then(|| self.untried.iter().position(|&it| it >= highest)).flatten()
    }

    /// The first of the best.
    fn argmax(
        &self,
        sigma: &Sigma,
        edges: &[Edge],
        slots: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let worth = |slot: usize| self.noise[slot] + self.logits[slot] + sigma.of(&edges[slot]);
        let scored = slots.map(|slot| (slot, worth(slot)));
        let is_before = |(slot, worth): (usize, f32), (other, others): (usize, f32)| {
            worth > others || worth >= others && slot < other
        };
        let best = scored.reduce(|best, next| if is_before(next, best) { next } else { best });
        best.map(|(slot, _)| slot)
    }
}
