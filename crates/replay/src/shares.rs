//! Shares of a whole, in units of 1/65535.

use thiserror::Error;

/// Why numbers are no shares of a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SharesError {
    /// One is NaN, infinite or negative.
    #[error("a share is negative or not finite")]
    Share,
    /// Their sum is off 1 by more than 0.01.
    #[error("the shares do not sum to 1")]
    Sum,
}

/// The most that the sum of shares may be off 1.
const TOLERANCE: f64 = 0.01;

/// Rounds `shares` to `units` that sum to exactly 65535, each off by less than one unit: rounded down,
/// and what is missing goes to the largest remainders, the earlier ones first.
pub(crate) fn to_units(shares: &[f32], units: &mut [u16]) -> Result<(), SharesError> {
    if shares.iter().any(|share| !share.is_finite() || *share < 0.0) {
        return Err(SharesError::Share);
    }
    let sum: f64 = shares.iter().map(|&share| f64::from(share)).sum();
    if (sum - 1.0).abs() > TOLERANCE {
        return Err(SharesError::Sum);
    }
    let mut missing = usize::from(u16::MAX);
    let mut remainders = Vec::with_capacity(shares.len());
    for (i, (&share, unit)) in shares.iter().zip(units.iter_mut()).enumerate() {
        let exact = f64::from(share) / sum * f64::from(u16::MAX);
        let whole = exact.floor();
        *unit = whole as u16;
        missing = missing.saturating_sub(usize::from(*unit));
        remainders.push((exact - whole, i));
    }
    remainders.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for &(_, i) in remainders.iter().cycle().take(missing) {
        units[i] += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounding_leaves_goes_to_the_largest_remainders_and_ties_to_the_first() {
        let units = |shares: [f32; 4]| {
            let mut units = [0; 4];
            to_units(&shares, &mut units).map(|()| units)
        };
        assert_eq!(units([0.5, 0.5, 0.0, 0.0]), Ok([32768, 32767, 0, 0]));
        assert_eq!(units([0.25; 4]), Ok([16384, 16384, 16384, 16383]));
        assert_eq!(units([0.0, 0.0, 1.0, 0.0]), Ok([0, 0, 65535, 0]));
        assert_eq!(units([0.25, 0.25, 0.25, 0.245]), Ok([16466, 16466, 16466, 16137]));
        assert_eq!(units([0.3, 0.3, 0.3, 0.3]), Err(SharesError::Sum));
        assert_eq!(units([0.5, 0.5, f32::INFINITY, 0.0]), Err(SharesError::Share));
    }
}
