//! The table for people.

use std::fmt::Write as _;

use super::{MODEL, Table};
use crate::statistics::{EloInterval, EloScale, Estimate, Rating, SprtSettings, Trinomial};

impl Table<'_> {
    /// The table for people.
    pub fn text(&self) -> String {
        let widths = self.rows.iter().map(|row| row.name.chars().count());
        let width = widths.max().unwrap_or(0).max("engine".len());
        let mut text = format!(
            "{:>3}  {:<width$}  {:>22}  {:>6}  {:>5} {:>5} {:>5}  {:>6}  {:>7}  {:>5}  faults\n",
            "#", "engine", "Elo (95 %)", "games", "won", "drawn", "lost", "score", "Black", "LOS",
        );
        for (place, row) in (1..).zip(&self.rows) {
            let all = row.all();
            let percent = |counts: &Trinomial| match counts.games() {
                0 => "-".to_owned(),
                _ => format!("{:.1} %", 100.0 * counts.score()),
            };
            let superiority =
                row.superiority.map_or_else(String::new, |it| format!("{:.1}", 100.0 * it));
            let line = format!(
                "{place:>3}  {:<width$}  {:>22}  {:>6}  {:>5} {:>5} {:>5}  {:>6}  {:>7}  {:>5}  {}",
                row.name,
                rating_text(&row.rating),
                all.games(),
                all.wins,
                all.draws,
                all.losses,
                percent(&all),
                percent(&row.by_color[0]),
                superiority,
                row.faults_text(),
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text.push_str(&self.pairings_text());
        text.push_str(&self.footer());
        text
    }

    /// Pairings where there are few enough to be read.
    fn pairings_text(&self) -> String {
        let mut text = String::new();
        if self.pairings.len() > 30 {
            return text;
        }
        for row in self.pairings.iter().filter(|row| row.pairs.pairs() > 0) {
            let [first, second] = row.engines.map(|engine| self.name(engine));
            let Trinomial { wins, draws, losses } = row.games;
            let counts = row.pairs.counts.map(|count| count.to_string()).join(" ");
            let _ = writeln!(
                text,
                "  {first} against {second}: {wins}-{draws}-{losses}, {}pairs {counts}",
                EloInterval::from_pairs(&row.pairs).map_or_else(String::new, |elo| {
                    let [low, value, high] =
                        [elo.low.0, elo.estimate.0, elo.high.0].map(|it| it + 0.0);
                    format!("difference {value:+.0} ({low:+.0} to {high:+.0}) Elo, ")
                }),
            );
        }
        text
    }

    fn footer(&self) -> String {
        let (standings, event) = (self.standings, self.standings.event());
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<10} {value}");
        };
        let played = standings.games();
        let (finished, all) = (standings.finished(), event.encounters());
        line("played", format!("{finished} of {all} results by {played} games"));
        line("anchors", event.anchors_name());
        line("openings", event.openings_name());
        if finished > 0 {
            let elo =
                |it: Estimate| format!("{:+.0} ({:+.0} to {:+.0}) Elo", it.value, it.low, it.high);
            let draws = 100.0 * self.draw_share();
            let worth = self.ratings.advantage.map_or_else(
                || "too few games, or too one-sided, to say what it is worth".to_owned(),
                |it| format!("worth {}", elo(it)),
            );
            line("Black", worth);
            line("draws", format!("{draws:.1} % of the results"));
        }
        let reasons: Vec<String> =
            standings.reasons().iter().map(|(name, count)| format!("{name} {count}")).collect();
        line("ends", reasons.join(", "));
        if standings.adjudicated() > 0 {
            line(
                "judged",
                format!("{} games ended by both engines' scores", standings.adjudicated()),
            );
        }
        if let Some(sprt) = self.sprt_text() {
            line("SPRT", sprt);
        }
        line("model", MODEL.to_owned());
        text
    }

    fn sprt_text(&self) -> Option<String> {
        let sprt = self.standings.sprt()?;
        let (settings, scale, decision) = self.sprt()?;
        let SprtSettings { elo0, elo1, .. } = settings;
        let name = match scale {
            EloScale::Logistic => "Elo",
            EloScale::Normalized => "normalised Elo",
        };
        let (low, high) = (settings.lower_bound(), settings.upper_bound());
        let llr = sprt.llr();
        Some(format!(
            "{name} {elo1} over {elo0}: {decision}, LLR {llr:+.2} ({low:.2} to {high:.2})"
        ))
    }
}

fn rating_text(rating: &Rating) -> String {
    match *rating {
        Rating::Anchor(elo) => format!("{elo:.0} (fixed)"),
        Rating::Fitted(Estimate { low, value, high }) => {
            format!("{value:.0} ({low:.0} to {high:.0})")
        }
        Rating::Above(Some(bound)) => format!("above {bound:.0}"),
        Rating::Below(Some(bound)) => format!("below {bound:.0}"),
        Rating::Above(None) => "lost no point".to_owned(),
        Rating::Below(None) => "won no point".to_owned(),
        Rating::Unknown => "not connected".to_owned(),
    }
}
