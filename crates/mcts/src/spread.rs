use crate::totals::Totals;

/// How the scores of a root move's visits in one search lie around their mean.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spread {
    visits: u32,
    /// Sum of the scores, each 0 to 1.
    sum: f64,
    squares: f64,
}

impl Spread {
    pub(crate) fn add(&mut self, score: f64) {
        self.visits += 1;
        self.sum += score;
        self.squares += score * score;
    }

    /// Standard error of the mean of all visits, which are in `totals`; those kept from an earlier search count as
    /// spread like those of this one. With fewer than two of this search it is the largest that scores from 0 to
    /// 1 with this mean can have. Needs one visit at least.
    pub(crate) fn standard_error(&self, totals: &Totals) -> f32 {
        let visits = f64::from(self.visits);
        let variance = if self.visits < 2 {
            let mean = f64::from(totals.mean_score());
            mean * (1.0 - mean)
        } else {
            (self.squares - self.sum * self.sum / visits) / (visits - 1.0)
        };
        (variance.max(0.0) / f64::from(totals.visits)).sqrt() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;
    use crate::value::Value;

    #[test]
    fn the_error_is_that_of_the_textbook() {
        let scores = [0.25_f32, 0.75, 0.5, 0.125, 1.0];
        let (mut spread, mut totals) = (Spread::default(), Totals::default());
        for (index, &score) in scores.iter().enumerate() {
            spread.add(f64::from(score));
            totals.add(Value::new(Wdl { win: score, draw: 0.0, loss: 1.0 - score }, 0.5));
            let visits = index as f32 + 1.0;
            let mean = scores[..=index].iter().sum::<f32>() / visits;
            let squares: f32 = scores[..=index].iter().map(|score| (score - mean).powi(2)).sum();
            let variance = if index == 0 { mean * (1.0 - mean) } else { squares / (visits - 1.0) };
            let expected = (variance / visits).sqrt();
            let error = spread.standard_error(&totals);
            assert!((error - expected).abs() < 1e-6, "{error}, not {expected}");
        }
    }
}
