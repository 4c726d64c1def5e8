use crate::lanes;

/// Turns finite logits into probabilities that sum to 1. Does nothing to an empty slice.
pub(crate) fn softmax_in_place(logits: &mut [f32]) {
    let highest = lanes::highest(logits);
    for logit in logits.iter_mut() {
        *logit = exp(*logit - highest);
    }
    let scale = 1.0 / lanes::sum(logits);
    for probability in logits.iter_mut() {
        *probability *= scale;
    }
}

/// e^x for x <= 0, with a relative error below 1e-6 and 0 below -87.
///
/// Written out so that the compiler can do several at once and the bits are the same on every
/// machine: 2^n * 2^f with n whole and |f| <= 1/2, and 2^f by its series.
fn exp(x: f32) -> f32 {
    let scaled = (x * std::f32::consts::LOG2_E).max(-126.0);
    // Adding and taking away 1.5 * 2^23 rounds to a whole number.
    let whole = (scaled + 12_582_912.0) - 12_582_912.0;
    let rest = (scaled - whole) * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (1.0 / 6.0
                                + rest
                                    * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0))))));
    let power = f32::from_bits(((whole as i32 + 127) as u32) << 23);
    if x < -87.0 { 0.0 } else { series * power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close_to_the_exact_value() {
        for step in 0..87_000 {
            let x = -(step as f32) / 1000.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) - exact).abs() / exact;
            assert!(error < 4e-6, "e^{x}: relative error {error}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp(-1e30).to_bits(), 0.0_f32.to_bits());
    }

    #[test]
    fn softmax_sums_to_one_and_keeps_ratios() {
        let mut values = [1000.0, 1000.0 + 2.0_f32.ln(), 999.0, -1e30];
        softmax_in_place(&mut values);
        assert!((values.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((values[1] / values[0] - 2.0).abs() < 1e-3, "{values:?}");
        assert_eq!(values[3].to_bits(), 0.0_f32.to_bits());
        softmax_in_place(&mut []);
    }
}
