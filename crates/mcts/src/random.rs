use rand::Rng;

/// A number in (0, 1), never 0 or 1 itself.
pub(crate) fn open_unit(rng: &mut impl Rng) -> f64 {
    ((rng.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// A sample of the standard Gumbel distribution.
pub(crate) fn gumbel(rng: &mut impl Rng) -> f32 {
    -(-open_unit(rng).ln()).ln() as f32
}

/// Fills `noise` with a sample of the symmetric Dirichlet distribution of concentration `alpha`.
pub(crate) fn dirichlet(rng: &mut impl Rng, alpha: f32, noise: &mut [f32]) {
    let logs: Vec<f64> = noise.iter().map(|_| log_gamma_sample(rng, f64::from(alpha))).collect();
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - highest).exp()).sum();
    for (value, log) in noise.iter_mut().zip(&logs) {
        *value = ((log - highest).exp() / sum) as f32;
    }
}

/// Logarithm of a sample of the gamma distribution of this shape and scale 1 (Marsaglia and Tsang
/// 2000, with shape + 1 and a power of a uniform number; in logarithms because a small shape
/// underflows).
fn log_gamma_sample(rng: &mut impl Rng, shape: f64) -> f64 {
    let d = shape + 1.0 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = normal(rng);
        let v = (1.0 + c * normal).powi(3);
        if v > 0.0 && open_unit(rng).ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return (d * v).ln() + open_unit(rng).ln() / shape;
        }
    }
}

/// A sample of the standard normal distribution (Box and Muller).
fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * open_unit(rng).ln()).sqrt();
    radius * (std::f64::consts::TAU * open_unit(rng)).cos()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn gumbel_has_the_mean_and_variance_of_its_distribution() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let samples: Vec<f64> = (0..100_000).map(|_| f64::from(gumbel(&mut rng))).collect();
        let mean = samples.iter().sum::<f64>() / 1e5;
        let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        assert!((mean - 0.5772).abs() < 0.02, "mean {mean}");
        assert!((variance - 1.6449).abs() < 0.05, "variance {variance}");
    }

    #[test]
    fn dirichlet_has_the_variance_of_its_concentration() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let (count, alpha) = (50, 0.15);
        let mut squares = 0.0;
        for _ in 0..4000 {
            let mut noise = vec![0.0; count];
            dirichlet(&mut rng, alpha, &mut noise);
            assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            squares += noise.iter().map(|x| f64::from(x * x)).sum::<f64>();
        }
        // E[sum of squares] = (alpha + 1) / (n alpha + 1)
        let expected = 1.15 / (50.0 * 0.15 + 1.0);
        assert!((squares / 4000.0 - expected).abs() < 0.01, "{}", squares / 4000.0);
    }
}
