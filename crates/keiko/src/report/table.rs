//! The table of generations.

use std::fmt::Write as _;

use super::svg::escape;
use crate::pipeline::{Chapter, History};

/// A column: its title, what it means, and its cell.
type Column = (&'static str, &'static str, fn(&Chapter) -> Option<String>);

const COLUMNS: [Column; 16] = [
    ("gen", "generation: games, training, gate", |it| Some(it.generation.to_string())),
    ("games", "games of the generation", |it| Some(it.games.games.to_string())),
    ("plies", "mean plies of a game", |it| number(it.games.mean_plies(), 1)),
    ("draws", "share of games drawn", |it| percent(it.games.draw_rate)),
    ("Black", "Black's score, a draw half a point", |it| percent(it.games.black_score)),
    ("repeats", "games with the moves of an earlier one", |it| {
        Some(it.games.duplicates.to_string())
    }),
    ("steps", "training steps of the candidate", |it| Some(it.step.to_string())),
    ("policy loss", "on held-out games, beside that of equal chances", |it| {
        let it = it.held_out.as_ref()?;
        Some(format!("{} / {}", number(it.policy_loss, 3)?, number(it.policy_loss_uniform, 3)?))
    }),
    ("value loss", "on held-out games, beside that of the mean result", |it| {
        let it = it.held_out.as_ref()?;
        Some(format!("{} / {}", number(it.value_loss, 3)?, number(it.value_loss_constant, 3)?))
    }),
    ("top-1", "policy's first move was played in the games of data/yardsticks", |it| {
        percent(it.yardsticks.as_ref()?.policy.top1)
    }),
    ("winner", "value prefers who won", |it| percent(it.yardsticks.as_ref()?.value.sign)),
    ("mate 1", "policy mates in one", |it| percent(it.yardsticks.as_ref()?.mate_in_one.rate)),
    ("hangs", "policy takes a hanging piece", |it| percent(it.yardsticks.as_ref()?.hanging.rate)),
    ("order", "pairs of pieces in order of worth", |it| {
        let pieces = it.yardsticks.as_ref()?.pieces;
        Some(format!("{}/{}", pieces.order_held, pieces.order_relations))
    }),
    ("match", "won-drawn-lost against the champion", |it| {
        let games = &it.verdict.as_ref()?.games;
        Some(format!("{}-{}-{}", games.wins, games.draws, games.losses))
    }),
    ("Elo", "against the champion, with its 95 % interval", elo),
];

/// The table as HTML.
pub(super) fn table(history: &History) -> String {
    let mut text = String::from("<table>\n<thead><tr>");
    for (title, meaning, _) in COLUMNS {
        let _ = write!(text, "<th title=\"{}\">{}</th>", escape(meaning), escape(title));
    }
    text.push_str("<th>gate</th></tr></thead>\n<tbody>\n");
    for chapter in &history.generations {
        text.push_str("<tr>");
        for (_, _, cell) in COLUMNS {
            let _ = write!(
                text,
                "<td>{}</td>",
                escape(&cell(chapter).unwrap_or_else(|| "–".to_owned()))
            );
        }
        let (class, word) = match &chapter.verdict {
            Some(verdict) if verdict.promoted => ("good", "promoted"),
            Some(_) => ("bad", "rejected"),
            None => ("", "–"),
        };
        let _ = writeln!(text, "<td class=\"{class}\">{word}</td></tr>");
    }
    text.push_str("</tbody>\n</table>\n");
    text
}

fn elo(chapter: &Chapter) -> Option<String> {
    let elo = chapter.verdict.as_ref()?.elo?;
    let end = |value: f64| match value {
        value if value.is_finite() => format!("{:+.0}", value + 0.0),
        value if value > 0.0 => "+∞".to_owned(),
        value if value < 0.0 => "−∞".to_owned(),
        _ => "–".to_owned(),
    };
    Some(format!("{} ({} to {})", end(elo.estimate), end(elo.low), end(elo.high)))
}

fn number(value: f64, decimals: usize) -> Option<String> {
    value.is_finite().then(|| format!("{value:.decimals$}"))
}

fn percent(share: f64) -> Option<String> {
    share.is_finite().then(|| format!("{:.1} %", 100.0 * share))
}
