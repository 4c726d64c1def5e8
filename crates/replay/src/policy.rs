//! Policies as they are stored.

use keiko_shogi::Move;
use thiserror::Error;

use crate::shares::{SharesError, to_units};

/// A distribution over the legal moves of a position: the share of each move in units of 1/65535.
///
/// Moves are in ascending order of their 16 bits, units are above 0 and sum to 65535; a move that is
/// not listed has no share. Or it is [empty](Self::EMPTY): nothing is known. Never an index into the
/// order in which moves are generated, so that a record outlives the generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPolicy(Vec<(Move, u16)>);

/// Why pairs of moves and shares are no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// A move twice, or moves out of order.
    #[error("the moves of a policy are not in ascending order")]
    Order,
    /// A move with no share.
    #[error("a policy lists a move without a share")]
    Zero,
    /// Units that do not sum to 65535.
    #[error("the units of a policy sum to {0} instead of 65535")]
    Sum(u64),
    /// Shares that are no shares.
    #[error("policy: {0}")]
    Shares(#[from] SharesError),
}

impl StoredPolicy {
    /// No policy.
    pub const EMPTY: Self = Self(Vec::new());

    /// From pairs of a move and its units.
    ///
    /// # Errors
    ///
    /// If the pairs are not as [`StoredPolicy`] says; no pairs are the empty policy.
    pub fn new(pairs: Vec<(Move, u16)>) -> Result<Self, PolicyError> {
        if !pairs.windows(2).all(|two| two[0].0.to_bits() < two[1].0.to_bits()) {
            return Err(PolicyError::Order);
        }
        if pairs.iter().any(|&(_, units)| units == 0) {
            return Err(PolicyError::Zero);
        }
        let sum: u64 = pairs.iter().map(|&(_, units)| u64::from(units)).sum();
        if pairs.is_empty() || sum == u64::from(u16::MAX) {
            Ok(Self(pairs))
        } else {
            Err(PolicyError::Sum(sum))
        }
    }

    /// From moves in any order and their shares, each 0..=1, which sum to 1. Units are rounded so that
    /// they sum exactly; moves that round to nothing are left out.
    ///
    /// # Errors
    ///
    /// [`PolicyError::Shares`] if a share is not finite or negative or the sum is off 1 by more than
    /// 0.01, [`PolicyError::Order`] if a move is there twice.
    pub fn from_shares(pairs: &[(Move, f32)]) -> Result<Self, PolicyError> {
        let mut pairs = pairs.to_vec();
        pairs.sort_by_key(|&(mv, _)| mv.to_bits());
        let shares: Vec<f32> = pairs.iter().map(|&(_, share)| share).collect();
        let mut units = vec![0; pairs.len()];
        to_units(&shares, &mut units)?;
        let moves = pairs.iter().map(|&(mv, _)| mv);
        Self::new(moves.zip(units).filter(|&(_, units)| units > 0).collect())
    }

    /// The moves and their units.
    #[must_use]
    pub fn pairs(&self) -> &[(Move, u16)] {
        &self.0
    }

    /// KL divergence of this policy from `prior`, in nats: how much a search's policy surprises who had only the net's. A
    /// move that `prior` does not list counts as half a unit there.
    #[must_use]
    pub fn divergence_from(&self, prior: &Self) -> f64 {
        let share = |units: f64| units / f64::from(u16::MAX);
        let mut sum = 0.0;
        let mut known = prior.0.iter().peekable();
        for &(mv, units) in &self.0 {
            while known.next_if(|(other, _)| other.to_bits() < mv.to_bits()).is_some() {}
            let there = known.next_if(|(other, _)| *other == mv);
            let q = share(there.map_or(0.5, |&(_, units)| units.into()));
            let p = share(units.into());
            sum += p * (p / q).ln();
        }
        sum
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn shares_become_sorted_units_that_sum() {
        let pairs = [(mv("7g7f"), 0.5), (mv("2g2f"), 0.499_999), (mv("5i5h"), 0.000_001)];
        let policy = StoredPolicy::from_shares(&pairs).unwrap();
        let units: Vec<_> = policy.pairs().iter().map(|&(mv, u)| (mv.to_string(), u)).collect();
        assert_eq!(units, [("2g2f".to_owned(), 32767), ("7g7f".to_owned(), 32768)]);
        let one = StoredPolicy::from_shares(&[(mv("7g7f"), 0.995)]).unwrap();
        assert_eq!(one.pairs(), [(mv("7g7f"), u16::MAX)]);
    }

    #[test]
    fn divergence_is_that_of_the_shares() {
        let policy = |pairs: &[(&str, f32)]| {
            let pairs: Vec<_> = pairs.iter().map(|&(text, share)| (mv(text), share)).collect();
            StoredPolicy::from_shares(&pairs).unwrap()
        };
        let search = policy(&[("2g2f", 0.75), ("7g7f", 0.25)]);
        let prior = policy(&[("2g2f", 0.25), ("7g7f", 0.5), ("1g1f", 0.25)]);
        let expected = 0.75 * 3.0_f64.ln() + 0.25 * 0.5_f64.ln();
        assert!((search.divergence_from(&prior) - expected).abs() < 1e-4);
        assert!(search.divergence_from(&search).abs() < 1e-12);
        let certain = policy(&[("7g7f", 1.0)]);
        let unlisted = search.divergence_from(&certain);
        let expected = 0.75 * (0.75_f64 * 131_070.0).ln() + 0.25 * 0.25_f64.ln();
        assert!((unlisted - expected).abs() < 1e-3, "{unlisted} is not {expected}");
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        let (a, b) = (mv("2g2f"), mv("7g7f"));
        assert!(StoredPolicy::new(Vec::new()).unwrap().is_empty());
        assert_eq!(StoredPolicy::new(vec![(b, 1), (a, 65534)]), Err(PolicyError::Order));
        assert_eq!(StoredPolicy::new(vec![(a, 1), (a, 65534)]), Err(PolicyError::Order));
        assert_eq!(StoredPolicy::new(vec![(a, 0), (b, 65535)]), Err(PolicyError::Zero));
        assert_eq!(StoredPolicy::new(vec![(a, 1), (b, 65535)]), Err(PolicyError::Sum(65536)));
        assert!(StoredPolicy::from_shares(&[]).is_err());
        assert!(StoredPolicy::from_shares(&[(a, f32::NAN)]).is_err());
        assert_eq!(StoredPolicy::from_shares(&[(a, 0.5), (a, 0.5)]), Err(PolicyError::Order));
    }
}
