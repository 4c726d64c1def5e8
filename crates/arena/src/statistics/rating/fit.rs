use super::matrix::Matrix;
use super::{ELO_PER_LOG_ODDS, Estimate, LOG_LIKELIHOOD_95, RatingPool};

/// The most likely values of a pool, in log-odds, and how sure they are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    /// By player; none where the player is not rated.
    strengths: Vec<Option<Strength>>,
    /// All that was fitted: strengths, then the advantage, then the logarithm of ν.
    values: Vec<f64>,
    covariance: Matrix,
    /// How firmly the last two values are held.
    hold: [f64; 2],
}

/// A rated player's strength.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Strength {
    /// Given.
    Fixed(f64),
    /// Its place among the fitted values.
    Free(usize),
}

/// How firmly the advantage and the logarithm of ν are held where they start, as the inverse of a variance: of no
/// influence but where there are no draws, whose ν is 0.
const HOLD: f64 = 1e-6;

/// The same for one that the games do not determine.
const FIXED: f64 = 1e9;

/// The variance from which on the games do not determine the advantage, or ν: standard errors of 3 log-odds (520 Elo).
const UNDETERMINED: f64 = 9.0;

/// Where the advantage and the logarithm of ν start: no advantage, one draw in 21 games between equals.
const START: [f64; 2] = [0.0, -std::f64::consts::LN_10];

/// Newton's method has always come to rest long before.
const MAX_STEPS: u32 = 100;

/// Probabilities of one game, Black's view, and their logarithms.
struct Cell {
    win: f64,
    draw: f64,
    loss: f64,
    logs: [f64; 3],
}

impl Cell {
    fn new(difference: f64, log_nu: f64) -> Cell {
        let terms = [difference / 2.0, log_nu, -difference / 2.0];
        let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [win, draw, loss] = terms.map(|term| (term - most).exp());
        let total = win + draw + loss;
        let logs = terms.map(|term| term - most - total.ln());
        Cell { win: win / total, draw: draw / total, loss: loss / total, logs }
    }

    /// The logarithm of the likelihood of so many wins, draws and losses.
    fn log_likelihood(&self, counts: [f64; 3]) -> f64 {
        counts.iter().zip(self.logs).map(|(count, log)| count * log).sum()
    }
}

impl Fit {
    /// Fits the players that are `rated` to the games among them.
    pub(super) fn new(pool: &RatingPool, rated: &[bool]) -> Fit {
        let mut free = 0;
        let strengths = (0..rated.len())
            .map(|player| match pool.anchors[player] {
                Some(elo) => Some(Strength::Fixed(elo / ELO_PER_LOG_ODDS)),
                None => rated[player].then(|| {
                    free += 1;
                    Strength::Free(free - 1)
                }),
            })
            .collect();
        let mut values = vec![0.0; free];
        values.extend(START);
        let covariance = Matrix::zero(free + 2);
        let mut fit = Fit { strengths, values, covariance, hold: [HOLD; 2] };
        fit.maximise(pool);
        // If Black won every game, or somebody who drew never lost, no finite advantage or ν is the most likely one.
        let has_draws = fit.games(pool).any(|(_, _, [_, draws, _])| draws > 0.0);
        for (index, may_be_fixed) in [(0, true), (1, has_draws)] {
            let variance = fit.covariance.get(free + index, free + index);
            if may_be_fixed && variance > UNDETERMINED {
                fit.hold[index] = FIXED;
                fit.values[..free].fill(0.0);
                fit.values[free..].copy_from_slice(&START);
                fit.maximise(pool);
            }
        }
        fit
    }

    /// Goes to the maximum of the likelihood, and takes the covariance there.
    fn maximise(&mut self, pool: &RatingPool) {
        // The logarithm of the likelihood is concave, so that steps that never make it less lead to its maximum.
        let mut likelihood = self.likelihood(pool);
        for _ in 0..MAX_STEPS {
            let (gradient, information) = self.derivatives(pool);
            let mut step = information.inverse().times(&gradient);
            let before = self.values.clone();
            loop {
                self.values = before.iter().zip(&step).map(|(value, step)| value + step).collect();
                let now = self.likelihood(pool);
                if now >= likelihood || largest(&step) < 1e-12 {
                    likelihood = now;
                    break;
                }
                step.iter_mut().for_each(|step| *step /= 2.0);
            }
            if largest(&step) < 1e-10 {
                break;
            }
        }
        self.covariance = self.derivatives(pool).1.inverse();
        if self.is_floating() {
            // Without an anchor only differences have a variance; the tie to a mean of 0 is taken out again.
            let free = self.free();
            let share = 1.0 / (free * free).max(1) as f64;
            for row in 0..free {
                for column in 0..free {
                    self.covariance.add(row, column, -share);
                }
            }
        }
    }

    /// Whether no anchor fixes the scale.
    fn is_floating(&self) -> bool {
        !self.strengths.iter().any(|it| matches!(it, Some(Strength::Fixed(_))))
    }

    fn free(&self) -> usize {
        self.values.len() - 2
    }

    fn strength(&self, player: usize) -> Option<f64> {
        Some(match self.strengths[player]? {
            Strength::Fixed(strength) => strength,
            Strength::Free(index) => self.values[index],
        })
    }

    /// The games among rated players: the two, and the counts.
    fn games<'a>(
        &'a self,
        pool: &'a RatingPool,
    ) -> impl Iterator<Item = ([usize; 2], Cell, [f64; 3])> + 'a {
        pool.results.iter().filter_map(|(&(black, white), counts)| {
            let difference = self.strength(black)? - self.strength(white)?;
            let cell = Cell::new(difference + self.values[self.free()], self.log_nu());
            Some(([black, white], cell, counts.map(|count| count as f64)))
        })
    }

    /// How far the advantage and the logarithm of ν are from where they start.
    fn moved(&self) -> [f64; 2] {
        [0, 1].map(|index| self.values[self.free() + index] - START[index])
    }

    fn log_nu(&self) -> f64 {
        self.values[self.free() + 1]
    }

    fn likelihood(&self, pool: &RatingPool) -> f64 {
        let games: f64 =
            self.games(pool).map(|(_, cell, counts)| cell.log_likelihood(counts)).sum();
        let held: f64 =
            self.moved().iter().zip(self.hold).map(|(off, hold)| hold * off * off).sum();
        let mean: f64 = self.values[..self.free()].iter().sum();
        let tied = if self.is_floating() { mean * mean } else { 0.0 };
        games - held / 2.0 - tied / 2.0
    }

    /// The gradient, and the Fisher information.
    fn derivatives(&self, pool: &RatingPool) -> (Vec<f64>, Matrix) {
        let (free, size) = (self.free(), self.values.len());
        let (mut gradient, mut information) = (vec![0.0; size], Matrix::zero(size));
        for ([black, white], cell, [wins, draws, losses]) in self.games(pool) {
            let games = wins + draws + losses;
            let tilt = (cell.win - cell.loss) / 2.0;
            let by_difference = (wins - losses) / 2.0 - games * tilt;
            let by_draw = draws - games * cell.draw;
            // Variances of the statistics of one game: half of win minus loss, and draw.
            let difference = games * ((cell.win + cell.loss) / 4.0 - tilt * tilt);
            let mixed = -games * cell.draw * tilt;
            let draw = games * cell.draw * (1.0 - cell.draw);
            let index = |player: usize| match self.strengths[player] {
                Some(Strength::Free(index)) => Some(index),
                _ => None,
            };
            let signed = [(index(black), 1.0), (index(white), -1.0), (Some(free), 1.0)];
            let touched: Vec<(usize, f64)> =
                signed.into_iter().filter_map(|(index, sign)| Some((index?, sign))).collect();
            for &(row, sign) in &touched {
                gradient[row] += sign * by_difference;
                information.add(row, free + 1, sign * mixed);
                information.add(free + 1, row, sign * mixed);
                for &(column, other) in &touched {
                    information.add(row, column, sign * other * difference);
                }
            }
            gradient[free + 1] += by_draw;
            information.add(free + 1, free + 1, draw);
        }
        for ((index, off), hold) in (free..size).zip(self.moved()).zip(self.hold) {
            gradient[index] -= hold * off;
            information.add(index, index, hold);
        }
        if self.is_floating() {
            let mean: f64 = self.values[..free].iter().sum();
            for (row, slope) in gradient.iter_mut().enumerate().take(free) {
                *slope -= mean;
                (0..free).for_each(|column| information.add(row, column, 1.0));
            }
        }
        (gradient, information)
    }

    /// A rated player's rating in Elo.
    pub(super) fn rating(&self, player: usize) -> Estimate {
        let (value, variance) = match self.strengths[player] {
            Some(Strength::Free(index)) => (self.values[index], self.covariance.get(index, index)),
            Some(Strength::Fixed(strength)) => (strength, 0.0),
            None => (f64::NAN, f64::NAN),
        };
        elo(value, variance)
    }

    /// Black's advantage in Elo, if the games determine it.
    pub(super) fn advantage(&self) -> Option<Estimate> {
        let index = self.free();
        let variance = self.covariance.get(index, index);
        (self.hold[0] < FIXED && variance <= UNDETERMINED)
            .then(|| elo(self.values[index], variance))
    }

    /// ν / 2, if the games determine it.
    pub(super) fn draws(&self) -> Option<Estimate> {
        let index = self.free() + 1;
        if self.hold[1] >= FIXED || self.covariance.get(index, index) > UNDETERMINED {
            return None;
        }
        let Estimate { low, value, high } =
            Estimate::new(self.values[index], self.covariance.get(index, index));
        let [low, value, high] = [low, value, high].map(|log_nu| log_nu.exp() / 2.0);
        Some(Estimate { low, value, high })
    }

    /// The difference of two rated players in log-odds, and its variance.
    pub(super) fn difference(&self, first: usize, second: usize) -> Option<(f64, f64)> {
        let difference = self.strength(first)? - self.strength(second)?;
        let place = |player: usize| match self.strengths[player] {
            Some(Strength::Free(index)) => Some(index),
            _ => None,
        };
        let covariance = |one: Option<usize>, other: Option<usize>| {
            one.zip(other).map_or(0.0, |(one, other)| self.covariance.get(one, other))
        };
        let (first, second) = (place(first), place(second));
        let variance =
            covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        Some((difference, variance))
    }

    /// The end of the 95 % likelihood-ratio interval of a player that won all its games against rated players (`above`)
    /// or lost them all, everything else being as fitted; in Elo.
    pub(super) fn bound(&self, pool: &RatingPool, player: usize, above: bool) -> Option<f64> {
        let advantage = self.values[self.free()];
        let mut met = Vec::new();
        for (&(black, white), counts) in &pool.results {
            let (other, sign) = match (black == player, white == player) {
                (true, _) => (white, 1.0),
                (_, true) => (black, -1.0),
                _ => continue,
            };
            if let Some(strength) = self.strength(other) {
                met.push((strength, sign, counts.map(|count| count as f64)));
            }
        }
        if met.is_empty() {
            return None;
        }
        let lost = |strength: f64| -> f64 {
            met.iter()
                .map(|&(other, sign, counts)| {
                    let difference = sign * (strength - other) + advantage;
                    -Cell::new(difference, self.log_nu()).log_likelihood(counts)
                })
                .sum()
        };
        // The loss of likelihood falls from the left to the right for a player that won all, and rises otherwise.
        let (mut low, mut high) = (-200.0, 200.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if (lost(middle) > LOG_LIKELIHOOD_95) == above {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low * ELO_PER_LOG_ODDS)
    }
}

fn elo(value: f64, variance: f64) -> Estimate {
    Estimate::new(value * ELO_PER_LOG_ODDS, variance * ELO_PER_LOG_ODDS * ELO_PER_LOG_ODDS)
}

fn largest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |most, value| most.max(value.abs()))
}
