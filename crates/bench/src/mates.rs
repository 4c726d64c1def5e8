//! Mates in one.

use crate::{Done, Inputs};

/// How often the positions are gone through.
const TIMES: u64 = 20;

/// Looks for a mate in one in every position without a check.
pub(crate) fn find(inputs: &mut Inputs) -> Done {
    let (mut result, mut units) = (0, 0);
    for _ in 0..TIMES {
        result = 0;
        for (number, position) in (1..).zip(&inputs.positions) {
            if !position.in_check() {
                units += 1;
                result += if position.mate_in_one().is_some() { number } else { 0 };
            }
        }
    }
    Done { result, units }
}
