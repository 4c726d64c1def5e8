//! A chart of curves over the generations.

use super::axis::{Axis, Unit};
use super::svg::{Drawing, Frame};

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// What was measured, in one of the colours 0 to 7.
    Measured(usize),
    /// What a predictor that knows nothing scores.
    Ignorance,
    /// The best that is possible.
    Best,
}

impl Look {
    fn classes(self) -> (String, String) {
        match self {
            Self::Measured(colour) => {
                (format!("curve c{}", colour % 8), format!("fill f{}", colour % 8))
            }
            Self::Ignorance => ("curve ignorance".to_owned(), "quiet".to_owned()),
            Self::Best => ("curve best".to_owned(), "quiet".to_owned()),
        }
    }
}

/// A curve: a value for each generation that has one.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    name: String,
    look: Look,
    points: Vec<(u32, f64)>,
}

impl Curve {
    /// A curve of the points that are numbers.
    pub(super) fn new(name: &str, look: Look, points: impl Iterator<Item = (u32, f64)>) -> Self {
        let points = points.filter(|(_, value)| value.is_finite()).collect();
        Self { name: name.to_owned(), look, points }
    }
}

/// Curves with the same unit.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// What is shown.
    pub(super) title: String,
    /// What it means, in a sentence.
    pub(super) note: String,
    /// What its values are.
    pub(super) unit: Unit,
    /// The curves.
    pub(super) curves: Vec<Curve>,
}

/// Pixels that the names of the curves need to their right.
const NAMES: f64 = 104.0;

/// Least distance of two names.
const NAME_HEIGHT: f64 = 13.0;

impl Chart {
    /// Whether there is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.curves.iter().all(|curve| curve.points.is_empty())
    }

    /// Draws the curves in `frame`, over the generations 0 to `last`.
    pub(super) fn draw(&self, frame: Frame, last: u32, drawing: &mut Drawing) {
        let area = frame.inside([8.0, NAMES, 20.0, 44.0]);
        let values = self.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
        let y = Axis::around(values, (area.bottom(), area.y), 3.0);
        let x = Axis::generations(last, (area.x, area.right()));
        draw_axes(area, (&x, &y), self.unit, drawing);
        drawing.text("tick", (area.right() + 8.0, area.bottom() + 14.0), "generation");
        let mut names = Vec::new();
        for curve in self.curves.iter().filter(|curve| !curve.points.is_empty()) {
            let place = |&(g, value): &(u32, f64)| (x.place(f64::from(g)), y.place(value));
            let points: Vec<(f64, f64)> = curve.points.iter().map(place).collect();
            let (line, fill) = curve.look.classes();
            // A single point of a predictor would not be seen as a line.
            let is_measured = matches!(curve.look, Look::Measured(_));
            if let ([(_, height)], false) = (&points[..], is_measured) {
                drawing.line(&line, (area.x, *height), (area.right(), *height));
            } else {
                drawing.path(&line, &points);
            }
            if is_measured {
                let radius = if points.len() > 30 { 1.8 } else { 3.0 };
                for (&place, &(g, value)) in points.iter().zip(&curve.points) {
                    let shown = self.unit.show(value, y.step / 20.0);
                    drawing.dot(
                        &fill,
                        place,
                        radius,
                        &format!("{}, generation {g}: {shown}", curve.name),
                    );
                }
            }
            names.push((points[points.len() - 1].1, curve.name.as_str(), fill));
        }
        for (height, name, class) in apart(names, area) {
            drawing.text(&format!("name {class}"), (area.right() + 8.0, height + 4.0), name);
        }
    }
}

/// Lines and numbers of both axes.
pub(super) fn draw_axes(area: Frame, (x, y): (&Axis, &Axis), unit: Unit, drawing: &mut Drawing) {
    for value in y.ticks() {
        let height = y.place(value);
        drawing.line("grid", (area.x, height), (area.right(), height));
        drawing.text("tick end", (area.x - 5.0, height + 3.5), &unit.show(value, y.step));
    }
    drawing.line("grid", (area.x, area.bottom()), (area.right(), area.bottom()));
    for value in x.ticks() {
        drawing.text("tick middle", (x.place(value), area.bottom() + 14.0), &format!("{value:.0}"));
    }
}

/// Moves names apart that would lie over each other, as near as may be to where they belong.
fn apart<T>(mut names: Vec<(f64, T, String)>, area: Frame) -> Vec<(f64, T, String)> {
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut least = area.y;
    for (height, ..) in &mut names {
        *height = height.max(least);
        least = *height + NAME_HEIGHT;
    }
    let mut most = area.bottom() - 3.0;
    for (height, ..) in names.iter_mut().rev() {
        *height = height.min(most);
        most = *height - NAME_HEIGHT;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lie_over_each_other() {
        let area = Frame { x: 0.0, y: 0.0, width: 10.0, height: 100.0 };
        let names = [50.0, 51.0, 99.0, 100.0, 2.0].map(|height| (height, (), String::new()));
        let placed: Vec<f64> = apart(names.to_vec(), area).iter().map(|name| name.0).collect();
        assert!(placed.windows(2).all(|two| two[1] - two[0] >= NAME_HEIGHT - 1e-9), "{placed:?}");
        assert!(placed.iter().all(|height| (0.0..=100.0).contains(height)), "{placed:?}");
    }
}
