use keiko_mcts::{Proof, RootMove, RootSummary};
use keiko_shogi::Move;
use rand::{Rng, RngExt};

/// Draws a move from what a search found, in proportion to policy^(1/temperature).
///
/// A move that is proven to lose is only played when all are, and a proven win is always played.
pub(crate) fn from_search(summary: &RootSummary, temperature: f32, rng: &mut impl Rng) -> Move {
    if temperature <= 0.0 || summary.proven.is_some() {
        return summary.best;
    }
    let weight = |root_move: &RootMove| match root_move.proof {
        Some(Proof::Loss) => 0.0,
        _ => root_move.policy,
    };
    draw(summary, weight, temperature, rng)
}

/// Draws a move from the network's policy, in proportion to prior^(1/temperature).
pub(crate) fn from_prior(summary: &RootSummary, temperature: f32, rng: &mut impl Rng) -> Move {
    draw(summary, |root_move| root_move.prior, temperature, rng)
}

/// The highest weight is scaled to 1 before the power, so that no temperature underflows all weights.
fn draw(
    summary: &RootSummary,
    weight: impl Fn(&RootMove) -> f32,
    temperature: f32,
    rng: &mut impl Rng,
) -> Move {
    let highest = summary.moves.iter().map(&weight).fold(0.0, f32::max);
    if highest <= 0.0 {
        return summary.best;
    }
    let power = 1.0 / f64::from(temperature);
    let weights: Vec<f64> = summary
        .moves
        .iter()
        .map(|root_move| f64::from(weight(root_move) / highest).powf(power))
        .collect();
    let mut point = rng.random::<f64>() * weights.iter().sum::<f64>();
    for (root_move, weight) in summary.moves.iter().zip(&weights) {
        point -= weight;
        if *weight > 0.0 && point < 0.0 {
            return root_move.mv;
        }
    }
    summary.best
}
