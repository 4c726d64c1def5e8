//! How the games of each generation ended, as bars of shares.

use std::collections::BTreeMap;

use super::axis::{Axis, Unit};
use super::chart::draw_axes;
use super::svg::{Drawing, Frame};
use crate::pipeline::History;

/// Reasons with a colour of their own.
const COLOURS: usize = 8;

/// The reasons for which games ended, the most frequent in the whole run first.
fn reasons(history: &History) -> Vec<&str> {
    let mut totals = BTreeMap::<&str, u64>::new();
    for (reason, count) in history.generations.iter().flat_map(|it| &it.games.ends) {
        *totals.entry(reason).or_default() += count;
    }
    let mut reasons: Vec<(&str, u64)> = totals.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    reasons.into_iter().map(|(reason, _)| reason).collect()
}

/// Draws a bar for each generation from 0 to `last`.
pub(super) fn draw(history: &History, frame: Frame, last: u32, drawing: &mut Drawing) {
    let area = frame.inside([8.0, 188.0, 20.0, 44.0]);
    let y = Axis::around([0.0, 1.0].into_iter(), (area.bottom(), area.y), 4.0);
    let x = Axis::generations(last, (area.x, area.right()));
    draw_axes(area, (&x, &y), Unit::Percent, drawing);
    drawing.text("tick", (area.right() + 10.0, area.bottom() + 14.0), "generation");
    let reasons = reasons(history);
    let half = (x.place(0.5) - x.place(0.0)).min(30.0) * 0.84;
    for chapter in &history.generations {
        let middle = x.place(f64::from(chapter.generation));
        let mut below = 0.0;
        for (colour, reason) in reasons.iter().enumerate() {
            let share = chapter.games.share(reason);
            if share > 0.0 {
                let (low, high) = (y.place(below), y.place(below + share));
                let bar =
                    Frame { x: middle - half, y: high, width: 2.0 * half, height: low - high };
                let shown = Unit::Percent.show(share, 0.001);
                let tip = format!("generation {}: {} {shown}", chapter.generation, words(reason));
                drawing.bar(&class(colour), bar, &tip);
                below += share;
            }
        }
    }
    let newest = history.generations.last();
    for (number, reason) in reasons.iter().enumerate() {
        let height = area.y + 6.0 + 18.0 * number as f64;
        let swatch = Frame { x: area.right() + 10.0, y: height - 6.0, width: 11.0, height: 11.0 };
        drawing.bar(&class(number), swatch, "");
        let share = newest.map_or(0.0, |it| it.games.share(reason));
        let name = format!("{} {}", Unit::Percent.show(share, 0.001), words(reason));
        drawing.text("name", (area.right() + 26.0, height + 4.0), &name);
    }
}

fn class(number: usize) -> String {
    if number < COLOURS { format!("fill f{number}") } else { "fill other".to_owned() }
}

fn words(reason: &str) -> String {
    reason.replace('_', " ")
}
