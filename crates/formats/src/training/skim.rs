use std::io::BufRead;

use super::TrainingDataError;
use super::game::{HEADER_BYTES, MAX_CANDIDATES, MAX_PLIES};
use super::records::fill;
use crate::packed;

/// The size of a record of hcpe3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSize {
    /// Its bytes.
    pub bytes: usize,
    /// Its plies with candidates.
    pub searched_plies: u16,
}

impl GameSize {
    /// Passes over the next record, whose moves may be anything; nothing at the end of `source`.
    ///
    /// # Errors
    ///
    /// It ends too soon, or has more plies or candidates than a record may have.
    pub fn skim(source: &mut impl BufRead) -> Result<Option<Self>, TrainingDataError> {
        let mut header = [0; HEADER_BYTES];
        match fill(source, &mut header)? {
            0 => return Ok(None),
            HEADER_BYTES => {}
            _ => return Err(TrainingDataError::Short),
        }
        let plies = u16::from_le_bytes([header[packed::BYTES], header[packed::BYTES + 1]]);
        if usize::from(plies) > MAX_PLIES {
            return Err(TrainingDataError::Plies(plies.into()));
        }
        let mut size = Self { bytes: HEADER_BYTES, searched_plies: 0 };
        for ply in 1..=usize::from(plies) {
            let at = |source| TrainingDataError::Ply { ply, source: Box::new(source) };
            let candidates = skim_ply(source).map_err(at)?;
            size.bytes += 6 + 4 * candidates;
            size.searched_plies += u16::from(candidates > 0);
        }
        Ok(Some(size))
    }
}

/// Passes over a ply; how many candidates it has.
fn skim_ply(source: &mut impl BufRead) -> Result<usize, TrainingDataError> {
    let mut ply = [0; 6];
    if fill(source, &mut ply)? < 6 {
        return Err(TrainingDataError::Short);
    }
    let candidates = usize::from(u16::from_le_bytes([ply[4], ply[5]]));
    if candidates > MAX_CANDIDATES {
        return Err(TrainingDataError::Candidates(candidates));
    }
    let mut left = 4 * candidates;
    while left > 0 {
        let there = source.fill_buf()?.len().min(left);
        if there == 0 {
            return Err(TrainingDataError::Short);
        }
        source.consume(there);
        left -= there;
    }
    Ok(candidates)
}
