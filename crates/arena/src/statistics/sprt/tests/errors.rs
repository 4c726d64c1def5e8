//! How often the test is wrong, by simulation.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::statistics::Elo;

/// How the two games of a pair go.
#[derive(Debug, Clone, Copy)]
struct World {
    /// Share of draws.
    draws: f64,
    /// How much better than the mean the first player scores in the one game of a pair, and worse in the other, because
    /// the opening favours a colour.
    favour: f64,
    /// How much better or worse it scores in both games of a pair, because the opening suits it or not.
    taste: f64,
}

impl World {
    /// Shares of pairs by half points where the first player scores `mean`.
    fn pairs(self, mean: f64) -> [f64; 5] {
        let mut shares = [0.0; 5];
        for (favour, taste) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let game = |sign: f64| {
                let score = mean + sign * favour * self.favour + taste * self.taste;
                [1.0 - score - self.draws / 2.0, self.draws, score - self.draws / 2.0]
            };
            let (one, other) = (game(1.0), game(-1.0));
            for (first, second) in (0..3).flat_map(|first| (0..3).map(move |it| (first, it))) {
                shares[first + second] += one[first] * other[second] / 4.0;
            }
        }
        shares
    }

    /// Those where the first player is better by `elo`.
    fn better_by(self, elo: f64, scale: EloScale) -> [f64; 5] {
        if scale == EloScale::Logistic {
            return self.pairs(Elo(elo).score());
        }
        let (mut low, mut high) = (0.4, 0.7);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            let shares = self.pairs(middle);
            let deviation = |index: usize| (index as f64 / 4.0 - middle).powi(2);
            let variance: f64 = (0..5).map(|index| shares[index] * deviation(index)).sum();
            let found = (middle - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10f64.ln();
            if found < elo { low = middle } else { high = middle }
        }
        self.pairs(low)
    }
}

const MATCHES: u32 = 1000;

/// How many of the matches end with each decision.
fn simulate(scale: EloScale, settings: SprtSettings, shares: [f64; 5]) -> [u32; 2] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
    let mut ends = [0; 2];
    for _ in 0..MATCHES {
        let mut test = Sprt::on_scale(settings, scale).unwrap();
        let decision = loop {
            let mut left: f64 = rng.random();
            let mut half_points = 0;
            while half_points < 4 && left >= shares[usize::from(half_points)] {
                left -= shares[usize::from(half_points)];
                half_points += 1;
            }
            if let Some(decision) = test.update(pair(half_points)) {
                break decision;
            }
        };
        match decision {
            Decision::AcceptH0 => ends[0] += 1,
            Decision::AcceptH1 => ends[1] += 1,
            Decision::CapPositive | Decision::CapNegative => {}
        }
    }
    ends
}

#[test]
fn errors_are_as_rare_as_the_test_says() {
    let settings = SprtSettings { min_pairs: 8, cap_pairs: 3000, ..SETTINGS };
    let plain = World { draws: 0.1, favour: 0.0, taste: 0.0 };
    for (scale, elo1, world) in [
        (EloScale::Logistic, 60.0, plain),
        (EloScale::Logistic, 80.0, World { draws: 0.0, ..plain }),
        (EloScale::Logistic, 80.0, World { draws: 0.5, favour: 0.1, ..plain }),
        (EloScale::Logistic, 100.0, World { favour: 0.25, ..plain }),
        (EloScale::Logistic, 100.0, World { taste: 0.2, ..plain }),
        (EloScale::Normalized, 80.0, plain),
        (EloScale::Normalized, 100.0, World { draws: 0.5, favour: 0.1, ..plain }),
        (EloScale::Normalized, 100.0, World { favour: 0.25, ..plain }),
    ] {
        let settings = SprtSettings { elo1, ..settings };
        // Nominal 0.05; three standard errors of 1,000 matches are 0.021.
        let most = MATCHES * 71 / 1000;
        let [right, wrong] = simulate(scale, settings, world.better_by(0.0, scale));
        assert!(wrong <= most, "{scale:?} {elo1} {world:?}: {wrong} under H0");
        assert!(right + wrong > MATCHES * 99 / 100, "{scale:?} {elo1} {world:?}");
        let [wrong, right] = simulate(scale, settings, world.better_by(elo1, scale));
        assert!(wrong <= most, "{scale:?} {elo1} {world:?}: {wrong} under H1");
        assert!(right + wrong > MATCHES * 99 / 100, "{scale:?} {elo1} {world:?}");
    }
}
