//! The page: one file of HTML.

use std::fmt::Write as _;

use super::chart::Chart;
use super::svg::{Drawing, Frame, duration, escape};
use super::{curves, ends, ladder, table};
use crate::pipeline::History;

/// Width and height of a chart in its own pixels; a page scales it.
const CHART: (f64, f64) = (430.0, 220.0);

/// Warnings that are shown at once.
const WARNINGS: usize = 6;

/// What a browser is told first, that it may load nothing among it.
const HEAD: &str = include_str!("head.html");

const STYLE: &str = include_str!("page.css");

/// The page of a run: a whole HTML document that needs nothing from elsewhere.
pub(crate) fn page(history: &History) -> String {
    let name = escape(&history.name);
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n{HEAD}<title>{name} – keiko</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>{name} <small>keiko 稽古, a run of self-play</small></h1>\n"
    );
    add_head(history, &mut text);
    if history.generations.is_empty() {
        text.push_str("<p>No generation has a candidate yet.</p>\n<div class=\"charts\">\n");
        add_facts(history, &mut text);
        text.push_str("</div>\n");
    } else {
        add_charts(history, &mut text);
        let _ = writeln!(
            text,
            "<h2>Generations</h2>\n<p>Elo: against the champion, {}.</p>\n<div class=\"scroll\">",
            escape(&history.gate)
        );
        text.push_str(&table::table(history));
        text.push_str("</div>\n");
    }
    text.push_str(
        "<footer>Written by <code>keiko report</code>. Point at a dot, a bar or a title for its figure or meaning. The \
         numbers are in metrics.jsonl, gate/ and timing.jsonl of the run.</footer>\n</body>\n</html>\n",
    );
    text
}

/// The state in a sentence, and the warnings.
fn add_head(history: &History, text: &mut String) {
    let fact = |name: &str| {
        let found = history.facts.iter().find(|(known, _)| *known == name);
        escape(found.map_or("", |(_, value)| value))
    };
    let games: u64 = history.generations.iter().map(|it| it.games.games).sum();
    let candidates = match history.generations.len() {
        1 => "1 candidate".to_owned(),
        several => format!("{several} candidates"),
    };
    let seconds: f64 = history.seconds.values().sum();
    let _ = writeln!(
        text,
        "<p class=\"lead\">{games} games, {candidates}, {}; {}.</p>",
        duration(seconds),
        fact("state"),
    );
    if !history.warnings.is_empty() {
        let (older, newest) =
            history.warnings.split_at(history.warnings.len().saturating_sub(WARNINGS));
        text.push_str("<div class=\"warnings\">\n");
        add_lines(newest, text);
        if !older.is_empty() {
            let _ = writeln!(text, "<details><summary>{} earlier warnings</summary>", older.len());
            add_lines(older, text);
            text.push_str("</details>\n");
        }
        text.push_str("</div>\n");
    }
}

/// Lines of a list, the newest first.
fn add_lines(lines: &[String], text: &mut String) {
    text.push_str("<ul>\n");
    for line in lines.iter().rev() {
        let _ = writeln!(text, "<li>{}</li>", escape(line));
    }
    text.push_str("</ul>\n");
}

fn add_charts(history: &History, text: &mut String) {
    let last = history.generations.last().map_or(0, |it| it.generation);
    text.push_str("<h2>Strength</h2>\n<div class=\"charts\">\n");
    let rungs = ladder::rungs(history);
    let note = format!(
        "Each candidate's match on top of the champion it met, {}; the untrained net is 0. Bars are the 95 % interval of \
         that match alone. Filled: promoted. Sums of matches of a run against itself flatter: rate its nets with others \
         by keiko gauntlet.",
        history.gate
    );
    if rungs.is_empty() {
        text.push_str("<p>No candidate has been judged yet.</p>\n");
    } else {
        let draw = |frame, drawing: &mut Drawing| ladder::draw(&rungs, frame, last, drawing);
        add_figure("wide", ("Elo above the untrained net", &note), draw, text);
    }
    add_facts(history, text);
    text.push_str(
        "</div>\n<h2>What the nets know without a search</h2>\n\
         <p>Dashed: what ignorance scores. Dotted: the best possible. Across: generations.</p>\n<div class=\"charts\">\n",
    );
    for chart in curves::telling(history).iter().chain(&curves::knowledge(history)) {
        add_chart(chart, last, text);
    }
    text.push_str("</div>\n<h2>Self-play</h2>\n<div class=\"charts\">\n");
    let draw = |frame, drawing: &mut Drawing| ends::draw(history, frame, last, drawing);
    add_figure(
        "",
        ("How games ended", "Shares of each generation; beside their names those of the newest."),
        draw,
        text,
    );
    for chart in &curves::games(history) {
        add_chart(chart, last, text);
    }
    text.push_str("</div>\n");
}

fn add_chart(chart: &Chart, last: u32, text: &mut String) {
    if !chart.is_empty() {
        let draw = |frame, drawing: &mut Drawing| chart.draw(frame, last, drawing);
        add_figure("", (&chart.title, &chart.note), draw, text);
    }
}

fn add_figure(
    class: &str,
    (title, note): (&str, &str),
    draw: impl Fn(Frame, &mut Drawing),
    text: &mut String,
) {
    let (title, note) = (escape(title), escape(note));
    let wide = if class.is_empty() { 1.0 } else { 2.0 };
    let (width, height) = (CHART.0 * wide, CHART.1);
    let mut drawing = Drawing::default();
    draw(Frame { x: 0.0, y: 0.0, width, height }, &mut drawing);
    let _ = writeln!(
        text,
        "<figure class=\"{class}\"><figcaption><b>{title}</b>{note}</figcaption>\n\
         <svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n{}</svg></figure>",
        drawing.into_text()
    );
}

/// Settings and times.
fn add_facts(history: &History, text: &mut String) {
    text.push_str("<figure><figcaption><b>The run</b></figcaption>\n<dl>\n");
    for (name, value) in &history.facts {
        let _ = writeln!(text, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    let all: f64 = history.seconds.values().sum();
    let times = history.seconds.iter().map(|(stage, &seconds)| {
        let share = if all > 0.0 { 100.0 * seconds / all } else { 0.0 };
        format!("{} {} ({share:.0} %)", escape(stage), duration(seconds))
    });
    let _ = writeln!(
        text,
        "<dt>time</dt><dd>{}</dd>\n</dl></figure>",
        times.collect::<Vec<_>>().join(", ")
    );
}
