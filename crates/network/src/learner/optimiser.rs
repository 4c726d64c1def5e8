//! Optimisers over one flat vector of parameters.

use serde::{Deserialize, Serialize};
use tch::Tensor;

use crate::error::Torch;

/// Which optimiser, with its constants. Weight decay is decoupled in each (Loshchilov and Hutter
/// 2019, "Decoupled Weight Decay Regularization"): parameters shrink by learning rate times decay,
/// whatever the gradients are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "lowercase", deny_unknown_fields)]
pub enum Optimiser {
    /// AdamW.
    AdamW {
        /// Decay of the mean of gradients in a step, 0..1; usually 0.9.
        beta1: f64,
        /// Decay of the mean of squared gradients in a step, 0..1; usually 0.999.
        beta2: f64,
        /// Added to the root of the mean squared gradient; usually 1e-8.
        epsilon: f64,
    },
    /// Stochastic gradient descent with Nesterov momentum.
    Sgd {
        /// Decay of the velocity in a step, 0..1; usually 0.9.
        momentum: f64,
    },
}

impl Optimiser {
    /// The names of the flat vectors that this optimiser carries from step to step.
    pub(crate) fn moments(self) -> &'static [&'static str] {
        match self {
            Self::AdamW { .. } => &["adamw.mean", "adamw.square"],
            Self::Sgd { .. } => &["sgd.velocity"],
        }
    }

    /// Moves `parameters` against `gradient`; `step` counts from 1.
    pub(crate) fn update(
        self,
        parameters: &mut Tensor,
        gradient: &Tensor,
        moments: &mut [Tensor],
        Rate { learning_rate, step }: Rate,
    ) -> Torch<()> {
        match (self, moments) {
            (Self::AdamW { beta1, beta2, epsilon }, [mean, square]) => {
                let _ = mean.f_lerp_(gradient, 1.0 - beta1)?;
                let _ = square.f_lerp_(&gradient.f_square()?, 1.0 - beta2)?;
                let power = i32::try_from(step).unwrap_or(i32::MAX);
                let mean_scale = 1.0 - beta1.powi(power);
                let square_scale = (1.0 - beta2.powi(power)).sqrt();
                let mut width = square.f_sqrt()?.f_div_scalar(square_scale)?;
                let width = width.f_add_scalar_(epsilon)?;
                let change = mean.f_mul_scalar(-learning_rate / mean_scale)?;
                let _ = parameters.f_addcdiv_(&change, &width)?;
            }
            (Self::Sgd { momentum }, [velocity]) => {
                let _ = velocity.f_mul_scalar_(momentum)?.f_add_(gradient)?;
                let ahead = velocity.f_mul_scalar(momentum)?.f_add_(gradient)?;
                let _ = parameters.f_sub_(&ahead.f_mul_scalar(learning_rate)?)?;
            }
            _ => unreachable!("moments are made from the optimiser's own list"),
        }
        Ok(())
    }
}

/// How far a step goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// Learning rate of this step.
    pub(crate) learning_rate: f64,
    /// Number of the step, from 1.
    pub(crate) step: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRADIENTS: [[f32; 2]; 3] = [[1.0, -2.0], [0.5, 0.0], [-1.0, 3.0]];

    /// Parameters after each of three steps from (1, -1) at learning rate 0.1.
    fn run(optimiser: Optimiser) -> Vec<Vec<f32>> {
        let mut parameters = Tensor::from_slice(&[1.0_f32, -1.0]);
        let mut moments: Vec<_> =
            optimiser.moments().iter().map(|_| parameters.zeros_like()).collect();
        (1..)
            .zip(GRADIENTS)
            .map(|(step, gradient)| {
                let gradient = Tensor::from_slice(&gradient);
                let rate = Rate { learning_rate: 0.1, step };
                optimiser.update(&mut parameters, &gradient, &mut moments, rate).unwrap();
                Vec::try_from(&parameters).unwrap()
            })
            .collect()
    }

    fn assert_close(found: &[Vec<f32>], expected: [[f64; 2]; 3]) {
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((f64::from(*found) - expected).abs() < 1e-6, "{found} is not {expected}");
        }
    }

    #[test]
    fn sgd_equals_the_values_worked_out_by_hand() {
        let found = run(Optimiser::Sgd { momentum: 0.9 });
        // Velocities: (1, -2), (1.4, -1.8), (0.26, 1.38); each step subtracts
        // 0.1 * (gradient + 0.9 * velocity).
        let expected = [
            [1.0 - 0.19, -1.0 + 0.38],
            [0.81 - 0.176, -0.62 + 0.162],
            [0.634 + 0.0766, -0.458 - 0.4242],
        ];
        assert_close(&found, expected);
    }

    #[test]
    fn adamw_equals_the_values_worked_out_by_hand() {
        let found = run(Optimiser::AdamW { beta1: 0.9, beta2: 0.99, epsilon: 1e-8 });
        // Means and mean squares, corrected for their start at 0: after step 1 (1, -2), (1, 4);
        // after step 2 (0.14 / 0.19, -0.18 / 0.19), (0.0124 / 0.0199, 0.0396 / 0.0199);
        // after step 3 (0.026 / 0.271, 0.138 / 0.271), (0.022276 / 0.029701, 0.129204 / 0.029701).
        let change = |mean: f64, square: f64| 0.1 * mean / square.sqrt();
        let first = [1.0 - change(1.0, 1.0), -1.0 - change(-2.0, 4.0)];
        let second = [
            first[0] - change(0.14 / 0.19, 0.0124 / 0.0199),
            first[1] - change(-0.18 / 0.19, 0.0396 / 0.0199),
        ];
        let third = [
            second[0] - change(0.026 / 0.271, 0.022_276 / 0.029_701),
            second[1] - change(0.138 / 0.271, 0.129_204 / 0.029_701),
        ];
        assert_close(&found, [first, second, third]);
    }
}
