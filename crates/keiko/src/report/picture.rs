//! The picture: one SVG that shows at a glance whether a run has learnt.

use std::fmt::Write as _;

use super::svg::{Drawing, Frame, duration, escape};
use super::{curves, ladder};
use crate::pipeline::{Chapter, History};

/// Width and height of the picture in pixels.
const SIZE: (f64, f64) = (900.0, 560.0);

/// Verdicts that are shown as text.
const VERDICTS: usize = 5;

/// Fixed colours on a paper of its own: a picture does not know on what it is shown.
const STYLE: &str = "\
text { font: 11px system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif; fill: #23262b; }
.paper { fill: #fbf9f4; stroke: #d5d1c6; } .card { fill: #ffffff; stroke: #e2dfd6; }
text.title { font-size: 20px; font-weight: 700; } text.sub { font-size: 12px; fill: #5f6670; } text.head { font-size: 13px; font-weight: 600; }
.terminal { fill: #1d2026; } text.mono { font: 11px ui-monospace, 'DejaVu Sans Mono', Consolas, monospace; fill: #d9d6cd; white-space: pre; }
text.prompt { fill: #8fbcf5; }
.tick, text.quiet { fill: #5f6670; } .end { text-anchor: end; } .middle { text-anchor: middle; } .grid { stroke: #e8e5dc; }
.curve, .interval { fill: none; stroke-width: 2; stroke-linejoin: round; } .interval { stroke-width: 1.5; }
.ignorance { stroke: #6d747e; stroke-width: 1.5; stroke-dasharray: 6 4; } .champion { stroke-width: 1.5; opacity: .55; }
.c0 { stroke: #23508f; } .c1 { stroke: #c2452d; } .f0, text.f0 { fill: #23508f; } .hollow { fill: #ffffff; stroke-width: 2; }
";

/// The picture of a run: a whole SVG document that needs nothing from elsewhere.
pub(crate) fn picture(history: &History) -> String {
    let (width, height) = SIZE;
    let last = history.generations.last().map_or(0, |it| it.generation);
    let mut drawing = Drawing::default();
    drawing.add(&format!(
        "<rect class=\"paper\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1.0,
        height - 1.0
    ));
    drawing.text("title", (24.0, 36.0), &format!("keiko 稽古: {}", history.name));
    drawing.text("sub", (24.0, 56.0), &subtitle(history));
    for (number, chart) in curves::telling(history).iter().enumerate() {
        let (column, row) = ((number % 2) as f64, (number / 2) as f64);
        let frame = card(
            (20.0 + 286.0 * column, 72.0 + 176.0 * row),
            (278.0, 168.0),
            &chart.title,
            &mut drawing,
        );
        if chart.is_empty() {
            drawing.text("sub", (frame.x + 12.0, frame.y + 40.0), "not measured yet");
        } else {
            chart.draw(frame, last, &mut drawing);
        }
    }
    let frame = card((592.0, 72.0), (288.0, 344.0), "Elo above the untrained net", &mut drawing);
    let rungs = ladder::rungs(history);
    if rungs.is_empty() {
        drawing.text("sub", (frame.x + 12.0, frame.y + 40.0), "no candidate judged yet");
    } else {
        ladder::draw(&rungs, frame, last, &mut drawing);
    }
    add_terminal(history, &mut drawing);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n{}</svg>",
        escape(&format!("The run {}: {}", history.name, subtitle(history))),
        drawing.into_text()
    );
    text
}

fn subtitle(history: &History) -> String {
    let games: u64 = history.generations.iter().map(|it| it.games.games).sum();
    let time = duration(history.seconds.values().sum());
    format!(
        "{games} games in {} generations from zero in {time}. Solid: the net without a search. Dashed: what ignorance scores.",
        history.generations.len()
    )
}

/// A card with a head; what is left below the head.
fn card(
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    head: &str,
    drawing: &mut Drawing,
) -> Frame {
    let frame = Frame { x, y, width, height };
    drawing.bar("card", frame, "");
    drawing.text("head", (x + 12.0, y + 20.0), head);
    frame.inside([26.0, 2.0, 2.0, 2.0])
}

/// The newest verdicts as the program prints them.
fn add_terminal(history: &History, drawing: &mut Drawing) {
    let frame = Frame { x: 20.0, y: 426.0, width: 860.0, height: 114.0 };
    drawing.bar("terminal", frame, "");
    let prompt = format!("$ keiko train    # gate: {}", history.gate);
    drawing.text("mono prompt", (frame.x + 14.0, frame.y + 20.0), &prompt);
    let lines: Vec<String> = history.generations.iter().filter_map(Chapter::verdict_line).collect();
    for (number, line) in lines[lines.len().saturating_sub(VERDICTS)..].iter().enumerate() {
        let height = frame.y + 37.0 + 16.5 * number as f64;
        drawing.text("mono", (frame.x + 14.0, height), line);
    }
}
