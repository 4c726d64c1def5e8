//! The ladder of candidates: each one's Elo on top of the champion it met.

use keiko_arena::gate::Verdict;
use keiko_arena::statistics::Elo;

use super::axis::{Axis, Unit};
use super::chart::draw_axes;
use super::svg::{Drawing, Frame};
use crate::pipeline::History;

/// A candidate on the ladder, in Elo above the untrained net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rung {
    /// Its generation.
    pub(super) generation: u32,
    /// The champion that it met.
    pub(super) champion: f64,
    /// Lower end of the 95 % interval of this match; it may be infinite.
    pub(super) low: f64,
    /// The estimate, finite: of a match in which every point went to one side, as if half a point had not.
    pub(super) elo: f64,
    /// Upper end; it may be infinite.
    pub(super) high: f64,
    /// Whether it became champion.
    pub(super) promoted: bool,
}

/// All candidates that were judged and had a pair that counts.
pub(super) fn rungs(history: &History) -> Vec<Rung> {
    let mut champion = 0.0;
    let mut rungs = Vec::new();
    for chapter in &history.generations {
        let Some(verdict) = &chapter.verdict else { continue };
        let Some(estimate) = bounded(verdict) else { continue };
        let end = |value: Option<f64>, open: f64| {
            champion + value.filter(|value| value.is_finite()).unwrap_or(open)
        };
        let elo = champion + estimate;
        rungs.push(Rung {
            generation: chapter.generation,
            champion,
            low: end(verdict.elo.map(|elo| elo.low), f64::NEG_INFINITY).min(elo),
            elo,
            high: end(verdict.elo.map(|elo| elo.high), f64::INFINITY).max(elo),
            promoted: verdict.promoted,
        });
        if verdict.promoted {
            champion = elo;
        }
    }
    rungs
}

/// The estimate with half a point given to the side that made none.
fn bounded(verdict: &Verdict) -> Option<f64> {
    let (score, _) = verdict.pairs.mean_and_variance()?;
    let half_point = 0.25 / verdict.pairs.pairs() as f64;
    Some(Elo::from_score(score.clamp(half_point, 1.0 - half_point)).0)
}

/// Draws the ladder over the generations 0 to `last`.
pub(super) fn draw(rungs: &[Rung], frame: Frame, last: u32, drawing: &mut Drawing) {
    let area = frame.inside([8.0, 12.0, 36.0, 48.0]);
    let values = rungs.iter().flat_map(|it| [it.champion, it.low, it.elo, it.high]);
    let y = Axis::around(values.filter(|value| value.is_finite()), (area.bottom(), area.y), 4.0);
    let x = Axis::generations(last, (area.x, area.right()));
    draw_axes(area, (&x, &y), Unit::Signed, drawing);
    let middle = (area.x + area.width / 2.0, area.bottom() + 29.0);
    drawing.text("tick middle", middle, "generation; bars: 95 % of its match");
    let mut steps = vec![(area.x, y.place(0.0))];
    for rung in rungs {
        let at = x.place(f64::from(rung.generation));
        steps.push((at, y.place(rung.champion)));
        if rung.promoted {
            steps.push((at, y.place(rung.elo)));
        }
    }
    if let Some(&(_, height)) = steps.last() {
        steps.push((area.right(), height));
    }
    drawing.path("curve c0 champion", &steps);
    for rung in rungs {
        let at = x.place(f64::from(rung.generation));
        let (class, fill) = if rung.promoted { ("c0", "fill f0") } else { ("c1", "hollow c1") };
        // An end that is infinite runs out of the chart, without a cap.
        for (end, edge) in [(rung.low, area.bottom()), (rung.high, area.y)] {
            let height = if end.is_finite() { y.place(end) } else { edge };
            drawing.line(&format!("interval {class}"), (at, y.place(rung.elo)), (at, height));
            if end.is_finite() {
                drawing.line(&format!("interval {class}"), (at - 3.0, height), (at + 3.0, height));
            }
        }
        drawing.dot(fill, (at, y.place(rung.elo)), 4.0, &tip(rung));
    }
}

fn tip(rung: &Rung) -> String {
    let Rung { generation, champion, low, elo, high, promoted } = *rung;
    let above = |value: f64| {
        let value = value - champion;
        if value.is_finite() { format!("{value:+.0}") } else { "no bound".to_owned() }
    };
    let done = if promoted { "promoted" } else { "rejected" };
    format!(
        "candidate {generation} {done}: {} ({} to {}) against the champion, {elo:+.0} in all",
        above(elo),
        above(low),
        above(high)
    )
}
