//! The table for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{MODEL, Table};
use crate::statistics::{EloInterval, Estimate, NormalizedElo, Rating};

impl Table<'_> {
    /// The table for programs, one engine a line; anchors and openings stand in every line.
    pub fn csv(&self) -> String {
        let event = self.standings.event();
        let mut text =
            "rank,engine,elo,elo_low,elo_high,anchor,games,wins,draws,losses,score,black_score,\
                        white_score,superiority_over_next,faults,anchors,openings\n"
                .to_owned();
        let number = |value: Option<f64>| value.map_or_else(String::new, |it| format!("{it:.4}"));
        for (place, row) in (1..).zip(&self.rows) {
            let (value, low, high) = numbers(&row.rating);
            let all = row.all();
            let cells = [
                place.to_string(),
                quoted(&row.name),
                number(value),
                number(low),
                number(high),
                matches!(row.rating, Rating::Anchor(_)).to_string(),
                all.games().to_string(),
                all.wins.to_string(),
                all.draws.to_string(),
                all.losses.to_string(),
                number((all.games() > 0).then(|| all.score())),
                number((row.by_color[0].games() > 0).then(|| row.by_color[0].score())),
                number((row.by_color[1].games() > 0).then(|| row.by_color[1].score())),
                number(row.superiority),
                quoted(&row.faults_text()),
                quoted(&event.anchors_name()),
                quoted(&event.openings_name()),
            ];
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }

    /// Everything, for programs. What is not known is null.
    pub fn json(&self) -> Value {
        let (standings, event) = (self.standings, self.standings.event());
        let estimate =
            |it: Estimate| json!({ "low": it.low, "estimate": it.value, "high": it.high });
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let (value, low, high) = numbers(&row.rating);
                let over: serde_json::Map<String, Value> = self
                    .rows
                    .iter()
                    .filter_map(|other| {
                        let superiority = self.ratings.superiority(row.engine, other.engine)?;
                        Some((other.name.clone(), json!(superiority)))
                    })
                    .collect();
                let faults: serde_json::Map<String, Value> = row
                    .faults
                    .iter()
                    .map(|(fault, count)| (fault.name().to_owned(), json!(count)))
                    .collect();
                json!({
                    "engine": row.name, "elo": value, "elo_low": low, "elo_high": high,
                    "anchor": matches!(row.rating, Rating::Anchor(_)),
                    "games": row.all(), "score": row.all().score(),
                    "as_black": row.by_color[0], "as_white": row.by_color[1],
                    "superiority": over, "faults": faults,
                })
            })
            .collect();
        let pairings: Vec<Value> = self
            .pairings
            .iter()
            .map(|row| {
                let elo = EloInterval::from_pairs(&row.pairs).map(|elo| {
                    // JSON has no infinity: it becomes null.
                    json!({ "low": elo.low.0, "estimate": elo.estimate.0, "high": elo.high.0 })
                });
                let normalized = NormalizedElo::from_pairs(&row.pairs)
                    .map(|it| json!({ "low": it.low, "estimate": it.value, "high": it.high }));
                json!({
                    "first": self.name(row.engines[0]), "second": self.name(row.engines[1]),
                    "games": row.games, "pairs": row.pairs, "elo": elo, "normalized_elo": normalized,
                })
            })
            .collect();
        let sprt = self.sprt().map(|(settings, scale, decision)| {
            json!({
                "scale": scale, "elo0": settings.elo0, "elo1": settings.elo1,
                "llr": standings.sprt().map(crate::statistics::Sprt::llr),
                "llr_lower": settings.lower_bound(), "llr_upper": settings.upper_bound(),
                "decision": decision,
            })
        });
        json!({
            "anchors": event.anchors_name(), "openings": event.openings_name(), "model": MODEL,
            "finished": standings.finished(), "scheduled": event.encounters(),
            "games": standings.games(), "adjudicated": standings.adjudicated(),
            "ends": standings.reasons(), "black_advantage_elo": self.ratings.advantage.map(estimate),
            "engines": rows, "pairings": pairings, "sprt": sprt,
        })
    }
}

/// The rating, and the ends of its interval.
fn numbers(rating: &Rating) -> (Option<f64>, Option<f64>, Option<f64>) {
    match *rating {
        Rating::Anchor(elo) => (Some(elo), Some(elo), Some(elo)),
        Rating::Fitted(it) => (Some(it.value), Some(it.low), Some(it.high)),
        Rating::Above(bound) => (None, bound, None),
        Rating::Below(bound) => (None, None, bound),
        Rating::Unknown => (None, None, None),
    }
}

/// A cell of a CSV file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
