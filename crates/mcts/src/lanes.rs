//! Reductions in eight lanes, so that the compiler can do eight at once and the result is the same
//! on every machine.

const LANES: usize = 8;

/// The highest number of a slice without NaN; negative infinity if it is empty.
pub(crate) fn highest(values: &[f32]) -> f32 {
    reduce(values, f32::NEG_INFINITY, |a, b| if b > a { b } else { a })
}

/// The sum of a slice.
pub(crate) fn sum(values: &[f32]) -> f32 {
    reduce(values, 0.0, |a, b| a + b)
}

/// The index of the first number that is infinite or not a number.
#[must_use]
pub fn first_not_finite(values: &[f32]) -> Option<usize> {
    // Without a way out of the loop, so that eight are looked at at once.
    let all_finite = values.iter().fold(true, |all, value| all & value.is_finite());
    if all_finite { None } else { values.iter().position(|value| !value.is_finite()) }
}

fn reduce(values: &[f32], start: f32, combine: impl Fn(f32, f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = combine(*lane, value);
        }
    }
    lanes.iter().chain(rest).fold(start, |total, &value| combine(total, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_found_at_every_place() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for index in 0..40 {
                let mut values = vec![1.0; 40];
                assert_eq!(first_not_finite(&values), None);
                values[index] = bad;
                assert_eq!(first_not_finite(&values), Some(index));
                values.truncate(index);
                assert_eq!(first_not_finite(&values), None);
            }
        }
    }

    #[test]
    fn every_element_counts_at_every_length() {
        for len in 0..40 {
            let mut values = vec![1.0; len];
            assert!((sum(&values) - len as f32).abs() < 1e-6);
            for index in 0..len {
                values[index] = 2.0;
                assert!((highest(&values) - 2.0).abs() < 1e-6, "{index} of {len}");
                values[index] = 1.0;
            }
        }
        assert!(highest(&[]).is_infinite());
    }
}
