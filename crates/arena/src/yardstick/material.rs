use keiko_shogi::{Color, PieceKind, Position};
use serde::{Deserialize, Serialize};

/// What a piece more is worth by the value head: ridge regression of the log-odds of the expected score (draws as one
/// half) on the differences of the two sides' pieces, hands included. Promoted pieces count under what they were,
/// with two terms of their own for the promotion, of rooks and bishops and of the others, which are not reported.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceValues {
    /// Of the pairs among pawn < knight < silver < gold < bishop < rook, those that come out in this order and
    /// positive. The lance has no place in it that all agree on.
    pub order_held: u32,
    /// How many pairs there are. Values at random would hold half of them.
    pub order_relations: u32,
    /// Share of the variance of the log-odds that material explains, 0 to 1.
    pub explained: f64,
    /// Log-odds for one more of this kind; so are all that follow.
    pub pawn: f64,
    /// Lance.
    pub lance: f64,
    /// Knight.
    pub knight: f64,
    /// Silver.
    pub silver: f64,
    /// Gold.
    pub gold: f64,
    /// Bishop.
    pub bishop: f64,
    /// Rook.
    pub rook: f64,
}

/// Coefficients: the seven kinds, promotions of small and of large pieces, the move.
const TERMS: usize = 10;

/// The penalty on the squares of the coefficients, in positions.
const RIDGE: f64 = 1.0;

/// Log-odds beyond this are taken as this: a certain win has no finite ones.
const MAX_ADVANTAGE: f64 = 0.999;

/// The kinds in the order of the coefficients.
const KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

impl PieceValues {
    /// Fits positions with the advantage (win less loss, -1 to 1) of the side to move.
    pub(super) fn fit<'p>(positions: impl Iterator<Item = (&'p Position, f64)>) -> Self {
        let rows: Vec<([f64; TERMS], f64)> = positions
            .map(|(position, advantage)| {
                let advantage = advantage.clamp(-MAX_ADVANTAGE, MAX_ADVANTAGE);
                (terms(position), ((1.0 + advantage) / (1.0 - advantage)).ln())
            })
            .collect();
        let weights = ridge(&rows);
        let [pawn, lance, knight, silver, gold, bishop, rook, ..] = weights;
        let ranked = [pawn, knight, silver, gold, bishop, rook];
        let pairs = (0..ranked.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        let held = |&(low, high): &(usize, usize)| 0.0 < ranked[low] && ranked[low] < ranked[high];
        Self {
            order_held: pairs.clone().filter(held).count() as u32,
            order_relations: pairs.count() as u32,
            explained: explained(&rows, &weights),
            pawn,
            lance,
            knight,
            silver,
            gold,
            bishop,
            rook,
        }
    }

    /// The values by the names of the pieces, the smallest expected first.
    pub fn named(&self) -> [(&'static str, f64); 7] {
        [
            ("pawn", self.pawn),
            ("lance", self.lance),
            ("knight", self.knight),
            ("silver", self.silver),
            ("gold", self.gold),
            ("bishop", self.bishop),
            ("rook", self.rook),
        ]
    }
}

/// The side to move's pieces less the opponent's, and 1 for having the move.
fn terms(position: &Position) -> [f64; TERMS] {
    let mut terms = [0.0; TERMS];
    let us = position.side_to_move();
    for (color, sign) in [(us, 1.0), (us.opponent(), -1.0)] {
        for (index, kind) in KINDS.into_iter().enumerate() {
            let promoted = kind.promoted().map_or(0, |kind| on_board(position, color, kind));
            let all = promoted
                + on_board(position, color, kind)
                + u32::from(position.hand(color).count(kind));
            terms[index] += sign * f64::from(all);
            let large = matches!(kind, PieceKind::Bishop | PieceKind::Rook);
            terms[KINDS.len() + usize::from(large)] += sign * f64::from(promoted);
        }
    }
    terms[TERMS - 1] = 1.0;
    terms
}

fn on_board(position: &Position, color: Color, kind: PieceKind) -> u32 {
    position.pieces_of(color, kind).len()
}

/// The coefficients w that minimise |Xw - y|² + [`RIDGE`] |w|², by Gauss's elimination on the normal equations.
fn ridge(rows: &[([f64; TERMS], f64)]) -> [f64; TERMS] {
    // The matrix XᵀX + RIDGE, symmetric and positive definite, with Xᵀy as its last column.
    let mut matrix = [[0.0; TERMS + 1]; TERMS];
    for (index, line) in matrix.iter_mut().enumerate() {
        line[index] = RIDGE;
        for (terms, target) in rows {
            for (cell, factor) in line.iter_mut().zip(terms.iter().chain([target])) {
                *cell += terms[index] * factor;
            }
        }
    }
    for pivot in 0..TERMS {
        let line = matrix[pivot];
        for other in (0..TERMS).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot] / line[pivot];
            for (cell, above) in matrix[other].iter_mut().zip(line) {
                *cell -= factor * above;
            }
        }
    }
    std::array::from_fn(|index| matrix[index][TERMS] / matrix[index][index])
}

fn explained(rows: &[([f64; TERMS], f64)], weights: &[f64; TERMS]) -> f64 {
    let count = rows.len().max(1) as f64;
    let mean = rows.iter().map(|(_, target)| target).sum::<f64>() / count;
    let predicted =
        |terms: &[f64; TERMS]| terms.iter().zip(weights).map(|(t, w)| t * w).sum::<f64>();
    let total: f64 = rows.iter().map(|(_, target)| (target - mean).powi(2)).sum();
    let left: f64 = rows.iter().map(|(terms, target)| (target - predicted(terms)).powi(2)).sum();
    if total > 1e-9 { (1.0 - left / total).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coefficients to be found again, the order that is expected but for the lance.
    const TRUE: [f64; TERMS] = [0.1, 0.25, 0.2, 0.4, 0.5, 0.8, 1.0, 0.3, 0.2, 0.05];

    fn positions() -> Vec<Position> {
        let suite = super::super::Suite::new(keiko_shogi::Rules::STANDARD);
        suite.random.iter().map(|item| item.game.position().clone()).collect()
    }

    #[test]
    fn known_values_are_found_again() {
        let positions = positions();
        let advantage = |position: &Position| {
            let terms = terms(position);
            // Scaled down, so that none is beyond what is clamped.
            let log_odds: f64 = terms.iter().zip(TRUE).map(|(t, w)| 0.5 * t * w).sum();
            (log_odds / 2.0).tanh()
        };
        let found = PieceValues::fit(positions.iter().map(|p| (p, advantage(p))));
        for ((name, value), expected) in found.named().into_iter().zip(TRUE) {
            assert!((value - 0.5 * expected).abs() < 0.02, "{name}: {value}, not {expected}");
        }
        assert_eq!((found.order_held, found.order_relations), (15, 15));
        assert!(found.explained > 0.99, "{found:?}");
    }

    #[test]
    fn the_order_is_counted_by_pairs() {
        let positions = positions();
        // Only rooks matter: five pairs hold if the others are positive, and they are not for certain.
        let rooks = |p: &Position| (terms(p)[6] * 0.4).tanh();
        let found = PieceValues::fit(positions.iter().map(|p| (p, rooks(p))));
        assert!(found.rook > 0.5 && found.order_held < 15, "{found:?}");
        let none = PieceValues::fit(positions.iter().map(|p| (p, 0.0)));
        assert_eq!(none.order_held, 0);
        assert!(none.explained.abs() < 1e-12);
    }
}
