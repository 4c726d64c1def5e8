use rand::Rng;

use crate::gumbel::GumbelRoot;
use crate::halving::Halving;
use crate::puct::{Parent, Puct};
use crate::random;
use crate::settings::RootKind;
use crate::tree::Edge;
use crate::{PuctSettings, SearchSettings};

/// How one search chooses among the moves of its root.
#[derive(Clone, Debug)]
pub(crate) enum RootSelector {
    Gumbel(GumbelRoot),
    Puct(Puct),
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
                if let Some(rng) = rng {
                    mix_dirichlet(edges, &settings.puct, rng);
                }
                Self::Puct(Puct::root(&settings.puct))
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
            Self::Puct(puct) => puct.select(parent, edges),
        }
    }

    /// Counts a selected simulation.
    pub(crate) fn advance(&mut self) {
        if let Self::Gumbel(root) = self {
            root.advance();
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

    /// The slot to play, a proven win before all.
    pub(crate) fn best(&mut self, raw_score: f32, edges: &[Edge]) -> Option<usize> {
        let rank = |edge: &Edge| (!edge.loses(), edge.totals.visits);
        let by_visits = |slots: &mut dyn Iterator<Item = usize>| {
            slots.reduce(|best, slot| {
                let better = rank(&edges[slot]) > rank(&edges[best]);
                if better { slot } else { best }
            })
        };
        let wins = by_visits(&mut (0..edges.len()).filter(|&slot| edges[slot].wins()));
        wins.or_else(|| match self {
            Self::Gumbel(root) => root.best(edges, raw_score),
            Self::Puct(_) => by_visits(&mut (0..edges.len())),
        })
    }

    /// The policy to learn, by slot; `priors` are the evaluator's. See
    /// [`RootSummary`](crate::RootSummary).
    pub(crate) fn policy(&mut self, raw_score: f32, edges: &[Edge], priors: &[f32]) -> Vec<f32> {
        if edges.iter().any(Edge::wins) {
            return shares(edges.iter().zip(priors).map(|(edge, &prior)| {
                if edge.wins() { f64::from(prior.max(f32::MIN_POSITIVE)) } else { 0.0 }
            }));
        }
        match self {
            Self::Gumbel(root) => root.improved_policy(edges, raw_score),
            Self::Puct(_) => {
                let all_lose = edges.iter().all(Edge::loses);
                let visits = |edge: &Edge| {
                    if all_lose || !edge.loses() { f64::from(edge.totals.visits) } else { 0.0 }
                };
                if edges.iter().all(|edge| visits(edge) < 1.0) {
                    return priors.to_vec();
                }
                shares(edges.iter().map(visits))
            }
        }
    }
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
