//! Axes: ranges of values on ranges of pixels, with few round ticks.

/// What the values of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Shares, 0 to 1, shown in percent.
    Percent,
    /// Numbers without a unit of their own.
    Number,
    /// Differences, shown with their sign.
    Signed,
}

impl Unit {
    /// A value as text, with so many decimals as `step` needs.
    pub(super) fn show(self, value: f64, step: f64) -> String {
        let scale = if self == Self::Percent { 100.0 } else { 1.0 };
        let decimals = (-(step * scale).log10().floor()).clamp(0.0, 6.0) as usize;
        // Adding 0 turns a negative zero into a positive one.
        let value = value * scale + 0.0;
        match self {
            Self::Percent => format!("{value:.decimals$} %"),
            Self::Number => format!("{value:.decimals$}"),
            Self::Signed => format!("{value:+.decimals$}"),
        }
    }
}

/// A range of values on a range of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// Distance of two ticks.
    pub(super) step: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that shows all of `values`, which are finite, between the pixels `from` and `to`, with some `ticks`
    /// round values on it.
    pub(super) fn around(
        values: impl Iterator<Item = f64>,
        (from, to): (f64, f64),
        ticks: f64,
    ) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // A curve without any rise still has an axis with two ends.
        let least = (low.abs().max(high.abs()) * 0.02).max(1e-6);
        let (low, high) =
            if high - low < least { (low - least, high + least) } else { (low, high) };
        let step = round_step((high - low) / ticks);
        let half = step / 2.0;
        Self { low: (low / half).floor() * half, high: (high / half).ceil() * half, step, from, to }
    }

    /// An axis of generations from 0 to `last`, with half a generation of room at both ends.
    pub(super) fn generations(last: u32, (from, to): (f64, f64)) -> Self {
        let step = round_step(f64::from(last) / 5.0).max(1.0);
        Self { low: -0.5, high: f64::from(last) + 0.5, step, from, to }
    }

    /// The pixel of a value; of a value beyond an end, that end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// The values at the ticks.
    pub(super) fn ticks(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil() as i64;
        let last = (self.high / self.step + 1e-9).floor() as i64;
        let step = self.step;
        (first..=last).map(move |number| number as f64 * step)
    }
}

/// The least of 1, 2, 5 times a power of ten that is at least `width`.
fn round_step(width: f64) -> f64 {
    if width.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
        return 1.0;
    }
    let power = 10_f64.powf(width.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= width * 0.999_999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let axis = Axis::around([0.043, 0.091].into_iter(), (100.0, 0.0), 4.0);
        let ticks: Vec<String> = axis.ticks().map(|t| Unit::Percent.show(t, axis.step)).collect();
        assert_eq!(ticks, ["4 %", "6 %", "8 %", "10 %"]);
        assert!((axis.place(0.04) - 100.0).abs() < 1e-9 && axis.place(0.2).abs() < 1e-9);
        let generations = Axis::generations(60, (0.0, 61.0));
        assert_eq!(generations.ticks().count(), 4);
        assert_eq!(Axis::generations(0, (0.0, 1.0)).ticks().count(), 1);
    }

    #[test]
    fn equal_values_and_none_have_an_axis() {
        for values in [vec![], vec![0.0], vec![3.7, 3.7], vec![-1e300, 1e300]] {
            let axis = Axis::around(values.iter().copied(), (0.0, 10.0), 4.0);
            assert!(axis.ticks().count() >= 2, "{axis:?}");
            assert!(values.iter().all(|&value| axis.place(value).is_finite()));
        }
        assert_eq!(Unit::Signed.show(-0.0, 20.0), "+0");
    }
}
