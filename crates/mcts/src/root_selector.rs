use rand::Rng;

use crate::gumbel::GumbelRoot;
use crate::halving::Halving;
use crate::puct::Parent;
use crate::puct_root::PuctRoot;
use crate::random;
use crate::settings::RootKind;
use crate::tree::Edge;
use crate::{PuctSettings, SearchSettings};

/// How one search chooses among the moves of its root.
#[derive(Clone, Debug)]
pub(crate) enum RootSelector {
    Gumbel(GumbelRoot),
    Puct(PuctRoot),
}

impl RootSelector {
    /// Prepares the edges of the root, one for each legal move with its prior, for a search. No
    /// `rng` means no noise.
    pub(crate) fn new(
        settings: &SearchSettings,
        edges: &mut [Edge],
        simulations: u32,
        rng: Option<&mut impl Rng>,
    ) -> Self {
        match settings.root {
            RootKind::Gumbel => {
                let mut root = GumbelRoot::new(&settings.gumbel, edges, simulations);
                if let Some(rng) = rng {
                    root.add_noise(rng);
                }
                Self::Gumbel(root)
            }
            RootKind::Puct => {
                flatten(edges, settings.puct.policy_temperature);
                let mut root = PuctRoot::new(&settings.puct, edges.len());
                if let Some(rng) = rng {
                    mix_dirichlet(edges, &settings.puct, rng);
                    root = root.forcing(&settings.puct);
                }
                Self::Puct(root)
            }
        }
    }

    /// The slot to visit next; none if all that may be visited are blocked.
    pub(crate) fn select(
        &mut self,
        parent: Parent,
        raw_score: f32,
        edges: &[Edge],
    ) -> Option<usize> {
        match self {
            Self::Gumbel(root) => root.select(edges, raw_score),
            Self::Puct(root) => root.select(parent, edges),
        }
    }

    /// Expects another number of simulations in all.
    pub(crate) fn plan(&mut self, simulations: u32) {
        if let Self::Gumbel(root) = self {
            root.plan(simulations);
        }
    }

    /// Counts a selected simulation.
    pub(crate) fn advance(&mut self) {
        if let Self::Gumbel(root) = self {
            root.advance();
        }
    }

    /// Notes the score, 0 to 1, that an applied visit of a move brought.
    pub(crate) fn note(&mut self, slot: u16, score: f64) {
        if let Self::Puct(root) = self {
            root.note(slot, score);
        }
    }

    /// What [`RootSelector::restore`] needs to undo later selections.
    pub(crate) fn mark(&self) -> Option<Halving> {
        match self {
            Self::Gumbel(root) => Some(root.halving().clone()),
            Self::Puct(_) => None,
        }
    }

    pub(crate) fn restore(&mut self, mark: Option<&Halving>) {
        if let (Self::Gumbel(root), Some(mark)) = (self, mark) {
            root.restore(mark);
        }
    }

    /// The slot to play: a proven win before all, and the best result if all are proven.
    pub(crate) fn best(&self, raw_score: f32, edges: &[Edge]) -> Option<usize> {
        if edges.iter().any(Edge::wins) || edges.iter().all(|edge| edge.proof.is_some()) {
            let proven_score = |edge: &Edge| edge.proof.map_or(0.0, |_| edge.proven_score);
            return first_highest(edges, |slot| {
                let edge = &edges[slot];
                (edge.wins(), proven_score(edge), edge.totals.visits)
            });
        }
        match self {
            Self::Gumbel(root) => root.best(edges, raw_score),
            Self::Puct(root) => first_highest(edges, root.rank(edges)),
        }
    }

    /// The policy to learn, by slot; `priors` are the evaluator's. See
    /// [`RootSummary`](crate::RootSummary).
    pub(crate) fn policy(&self, raw_score: f32, edges: &[Edge], priors: &[f32]) -> Vec<f32> {
        if edges.iter().any(Edge::wins) {
            return shares(edges.iter().zip(priors).map(|(edge, &prior)| {
                if edge.wins() { f64::from(prior.max(f32::MIN_POSITIVE)) } else { 0.0 }
            }));
        }
        match self {
            Self::Gumbel(root) => root.improved_policy(edges, raw_score),
            Self::Puct(root) => {
                let all_lose = edges.iter().all(Edge::loses);
                let wanted = root.wanted_visits(edges);
                let visits = edges
                    .iter()
                    .zip(&wanted)
                    .map(|(edge, &visits)| if all_lose || !edge.loses() { visits } else { 0.0 });
                if visits.clone().all(|visits| visits < 1.0) {
                    return priors.to_vec();
                }
                shares(visits)
            }
        }
    }
}

/// The first slot of the highest rank.
fn first_highest<R: PartialOrd>(edges: &[Edge], rank: impl Fn(usize) -> R) -> Option<usize> {
    (0..edges.len()).reduce(|best, slot| if rank(slot) > rank(best) { slot } else { best })
}

/// Divides by the sum, which must be above 0.
fn shares(weights: impl Iterator<Item = f64> + Clone) -> Vec<f32> {
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| (weight / sum) as f32).collect()
}

fn flatten(edges: &mut [Edge], temperature: f32) {
    let mut sum = 0.0;
    for edge in edges.iter_mut() {
        edge.prior = edge.prior.powf(1.0 / temperature);
        sum += edge.prior;
    }
    for edge in edges {
        edge.prior /= sum;
    }
}

fn mix_dirichlet(edges: &mut [Edge], settings: &PuctSettings, rng: &mut impl Rng) {
    let mut noise = vec![0.0; edges.len()];
    random::dirichlet(rng, settings.dirichlet_alpha, &mut noise);
    let fraction = settings.dirichlet_fraction;
    for (edge, noise) in edges.iter_mut().zip(noise) {
        edge.prior = (1.0 - fraction) * edge.prior + fraction * noise;
    }
}
