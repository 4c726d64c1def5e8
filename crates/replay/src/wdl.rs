//! Win, draw and loss as they are stored.

use thiserror::Error;

use crate::shares::{SharesError, to_units};

/// Shares of win, draw and loss for the side to move, in units of 1/65535; they sum to 65535.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredWdl {
    win: u16,
    draw: u16,
    loss: u16,
}

/// Why three numbers are no shares of win, draw and loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WdlError {
    /// Units that do not sum to 65535.
    #[error("win, draw and loss sum to {0} units instead of 65535")]
    Sum(u32),
    /// Shares that are not finite, negative, or do not sum to 1.
    #[error("win, draw and loss: {0}")]
    Shares(#[from] SharesError),
}

impl StoredWdl {
    /// A certain win.
    pub const WIN: Self = Self { win: u16::MAX, draw: 0, loss: 0 };

    /// A certain loss.
    pub const LOSS: Self = Self { win: 0, draw: 0, loss: u16::MAX };

    /// A certain draw; also what stands where nothing was evaluated.
    pub const DRAW: Self = Self { win: 0, draw: u16::MAX, loss: 0 };

    /// From units of 1/65535.
    ///
    /// # Errors
    ///
    /// [`WdlError::Sum`] if they do not sum to 65535.
    pub fn new(win: u16, draw: u16, loss: u16) -> Result<Self, WdlError> {
        let sum = u32::from(win) + u32::from(draw) + u32::from(loss);
        if sum == u32::from(u16::MAX) {
            Ok(Self { win, draw, loss })
        } else {
            Err(WdlError::Sum(sum))
        }
    }

    /// From the shares of win, draw and loss, each 0..=1, rounded so that the units sum exactly.
    ///
    /// # Errors
    ///
    /// [`WdlError::Shares`] if a share is not finite or negative, or if their sum is off 1 by more than
    /// 0.01.
    pub fn from_shares([win, draw, loss]: [f32; 3]) -> Result<Self, WdlError> {
        let mut units = [0; 3];
        to_units(&[win, draw, loss], &mut units)?;
        let [win, draw, loss] = units;
        Ok(Self { win, draw, loss })
    }

    /// The shares of win, draw and loss, each 0..=1.
    #[must_use]
    pub fn shares(self) -> [f32; 3] {
        self.units().map(|units| f32::from(units) / f32::from(u16::MAX))
    }

    /// Expected score, 0..=1, a draw counted as one half.
    #[must_use]
    pub fn score(self) -> f32 {
        let [win, draw, _] = self.shares();
        win + 0.5 * draw
    }

    /// Win, draw and loss in units of 1/65535.
    #[must_use]
    pub fn units(self) -> [u16; 3] {
        [self.win, self.draw, self.loss]
    }

    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_must_sum() {
        assert_eq!(StoredWdl::new(65535, 0, 0), Ok(StoredWdl::WIN));
        let bits = StoredWdl::WIN.shares().map(f32::to_bits);
        assert_eq!(bits, [1.0_f32, 0.0, 0.0].map(f32::to_bits));
        assert_eq!(StoredWdl::new(65535, 1, 0), Err(WdlError::Sum(65536)));
        assert_eq!(StoredWdl::new(0, 0, 0), Err(WdlError::Sum(0)));
    }

    #[test]
    fn shares_are_rounded_to_an_exact_sum() {
        let third = StoredWdl::from_shares([1.0 / 3.0; 3]).unwrap();
        assert_eq!(third.units(), [21845; 3]);
        let wdl = StoredWdl::from_shares([0.25, 0.5, 0.25]).unwrap();
        assert_eq!(wdl.units().iter().map(|&u| u32::from(u)).sum::<u32>(), 65535);
        assert_eq!(wdl.flipped().units(), [wdl.units()[2], wdl.units()[1], wdl.units()[0]]);
        for bad in [[f32::NAN, 0.5, 0.5], [-0.1, 0.6, 0.5], [0.5, 0.5, 0.5], [0.0; 3]] {
            assert!(StoredWdl::from_shares(bad).is_err(), "{bad:?}");
        }
    }
}
