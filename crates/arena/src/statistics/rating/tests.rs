use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

fn pool(anchors: &[Option<f64>], games: &[(usize, usize, [u32; 3])]) -> RatingPool {
    let mut pool = RatingPool::new(anchors.to_vec());
    for &(black, white, counts) in games {
        for (outcome, count) in
            [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins].into_iter().zip(counts)
        {
            (0..count).for_each(|_| pool.add(black, white, outcome));
        }
    }
    pool
}

fn fitted(rating: Rating) -> Estimate {
    match rating {
        Rating::Fitted(estimate) => estimate,
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_players_have_a_closed_form() {
    // 30 wins, 8 draws, 10 losses with each colour: odds of 3 to 1, variance 1/60 + 1/20, ν = 16 / sqrt(60 * 20).
    let ratings = pool(&[None, Some(1000.0)], &[(0, 1, [30, 8, 10]), (1, 0, [10, 8, 30])]).fit();
    let Estimate { low, value, high } = fitted(ratings.ratings[0]);
    assert!((value - 1000.0 - 400.0 * 3f64.log10()).abs() < 1e-4, "{value}");
    let error = (1.0 / 60.0 + 1.0 / 20.0f64).sqrt() * ELO_PER_LOG_ODDS;
    assert!(((high - low) / 2.0 / error - STANDARD_ERRORS_95).abs() < 1e-6, "{low} {high}");
    assert!(ratings.advantage.unwrap().value.abs() < 1e-6);
    assert!(
        (ratings.draws.unwrap().value - 8.0 / 1200f64.sqrt()).abs() < 1e-4,
        "{:?}",
        ratings.draws
    );
    let z = (value - 1000.0) / error;
    assert!((ratings.superiority(0, 1).unwrap() - normal_cdf(z)).abs() < 1e-9);
    assert!((ratings.superiority(1, 0).unwrap() - normal_cdf(-z)).abs() < 1e-9);
}

/// The American League of 1987 (Agresti, *Categorical Data Analysis*, 2nd edition, table 10.10), home team first, with
/// the estimates and standard errors that Agresti and the R package BradleyTerry2 give for a home advantage.
#[test]
fn the_published_example_with_an_order_effect() {
    // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: home wins and losses.
    let table: [[(u32, u32); 7]; 7] = [
        [(0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
        [(3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
        [(2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)],
        [(3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)],
        [(5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)],
        [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)],
        [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)],
    ];
    let games: Vec<(usize, usize, [u32; 3])> = (0..7)
        .flat_map(|home| (0..7).map(move |away| (home, away)))
        .filter(|(home, away)| home != away)
        .map(|(home, away)| (home, away, [table[home][away].0, 0, table[home][away].1]))
        .collect();
    let mut anchors = [None; 7];
    anchors[6] = Some(0.0);
    let ratings = pool(&anchors, &games).fit();
    let published = [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047];
    for (rating, strength) in ratings.ratings.iter().zip(published) {
        let found = fitted(*rating).value / ELO_PER_LOG_ODDS;
        assert!((found - strength).abs() < 2e-3, "{found} instead of {strength}");
    }
    let advantage = ratings.advantage.unwrap();
    assert!((advantage.value / ELO_PER_LOG_ODDS - 0.3023).abs() < 1e-3);
    assert_eq!(ratings.draws, None);
    let error = |estimate: Estimate| {
        (estimate.high - estimate.low) / 2.0 / STANDARD_ERRORS_95 / ELO_PER_LOG_ODDS
    };
    assert!((error(advantage) - 0.1309).abs() < 1e-3, "{}", error(advantage));
    assert!((error(fitted(ratings.ratings[0])) - 0.3474).abs() < 2e-3);
}

/// Plays a round robin of `strengths` in Elo by the model.
fn simulate(
    rng: &mut Xoshiro256PlusPlus,
    strengths: &[f64],
    (advantage, nu): (f64, f64),
    pool: &mut RatingPool,
) {
    for black in 0..strengths.len() {
        for white in (0..strengths.len()).filter(|&white| white != black) {
            let difference = (strengths[black] - strengths[white] + advantage) / ELO_PER_LOG_ODDS;
            let (win, loss) = ((difference / 2.0).exp(), (-difference / 2.0).exp());
            for _ in 0..40 {
                let x = rng.random::<f64>() * (win + nu + loss);
                pool.add(
                    black,
                    white,
                    if x < win {
                        Outcome::BlackWins
                    } else if x < win + nu {
                        Outcome::Draw
                    } else {
                        Outcome::WhiteWins
                    },
                );
            }
        }
    }
}

#[test]
fn the_intervals_hold_the_truth_as_often_as_they_say() {
    let (strengths, truth) = ([0.0, 120.0, -80.0, 300.0, 40.0], (30.0, 0.25));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let events = 1500;
    for anchors in [[Some(0.0), None, None, None, None], [None; 5]] {
        let anchored = anchors[0].is_some();
        let mean = if anchored { 0.0 } else { strengths.iter().sum::<f64>() / 5.0 };
        let (mut hits, mut all, mut of_advantage, mut of_draws) = (0, 0, 0, 0);
        for _ in 0..events {
            let mut pool = RatingPool::new(anchors.to_vec());
            simulate(&mut rng, &strengths, truth, &mut pool);
            let ratings = pool.fit();
            let inside = |estimate: Estimate, truth: f64| {
                u32::from(estimate.low <= truth && truth <= estimate.high)
            };
            for (rating, strength) in ratings.ratings.iter().zip(strengths) {
                if let Rating::Fitted(estimate) = *rating {
                    all += 1;
                    hits += inside(estimate, strength - mean);
                }
            }
            of_advantage += inside(ratings.advantage.unwrap(), truth.0);
            of_draws += inside(ratings.draws.unwrap(), truth.1 / 2.0);
        }
        for (hits, all) in [(hits, all), (of_advantage, events), (of_draws, events)] {
            let share = f64::from(hits) / f64::from(all);
            assert!((0.935..=0.965).contains(&share), "anchored {anchored}: {share}");
        }
    }
}

#[test]
fn sweeps_are_bounded_from_one_side_and_leave_the_rest_alone() {
    let among = [(0, 1, [12, 2, 6]), (1, 0, [9, 1, 10])];
    let plain = pool(&[None, Some(0.0)], &among).fit();
    let games =
        [&among[..], &[(2, 1, [20, 0, 0]), (3, 0, [0, 0, 10]), (1, 3, [10, 0, 0])]].concat();
    let ratings = pool(&[None, Some(0.0), None, None, None], &games).fit();
    assert!((fitted(ratings.ratings[0]).value - fitted(plain.ratings[0]).value).abs() < 1e-9);
    let Rating::Above(Some(above)) = ratings.ratings[2] else { panic!("{ratings:?}") };
    assert!((100.0..500.0).contains(&above), "{above}");
    let Rating::Below(Some(below)) = ratings.ratings[3] else { panic!("{ratings:?}") };
    assert!((-500.0..-100.0).contains(&below), "{below}");
    assert_eq!(ratings.ratings[4], Rating::Unknown);
    assert_eq!(ratings.superiority(2, 0), None);
    // Without draws and an advantage, twenty wins out of twenty are the bound's 95 % point: 20 ln(p) = -1.92.
    let even = pool(&[None, Some(0.0)], &[(0, 1, [10, 0, 0]), (1, 0, [0, 0, 10])]).fit();
    let Rating::Above(Some(above)) = even.ratings[0] else { panic!("{even:?}") };
    let p: f64 = (-LOG_LIKELIHOOD_95 / 20.0).exp();
    let expected = ELO_PER_LOG_ODDS * (p / (1.0 - p)).ln();
    assert!((above - expected).abs() < 60.0, "{above} {expected}");
}

#[test]
fn who_draws_and_never_loses_has_a_finite_rating() {
    // The likelihood has no maximum here: any advantage and any ν will do, if only they are large enough.
    let ratings = pool(&[Some(0.0), None], &[(0, 1, [0, 1, 99]), (1, 0, [100, 0, 0])]).fit();
    assert_eq!((ratings.advantage, ratings.draws), (None, None));
    let Estimate { low, value, high } = fitted(ratings.ratings[1]);
    assert!((1000.0..1400.0).contains(&value) && low > 500.0 && high < 2000.0, "{ratings:?}");
}

#[test]
fn no_games_and_odd_games_are_no_trouble() {
    let ratings = RatingPool::new(Vec::new()).fit();
    assert!(ratings.ratings.is_empty());
    let ratings = RatingPool::new(vec![None, Some(5.0)]).fit();
    assert_eq!(ratings.ratings, [Rating::Unknown, Rating::Anchor(5.0)]);
    let all_black = pool(&[None, None], &[(0, 1, [9, 0, 0]), (1, 0, [9, 0, 0])]).fit();
    assert!(fitted(all_black.ratings[0]).value.abs() < 1e-6);
    assert_eq!(all_black.advantage, None);
    let all_drawn = pool(&[None, None], &[(0, 1, [0, 9, 0]), (1, 0, [0, 9, 0])]).fit();
    assert!(fitted(all_drawn.ratings[0]).value.abs() < 1e-6);
    let mut pool = RatingPool::new(vec![None, None]);
    pool.add(0, 0, Outcome::Draw);
    pool.add(0, 2, Outcome::Draw);
    assert_eq!(pool, RatingPool::new(vec![None, None]));
}
