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
