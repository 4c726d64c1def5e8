use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Standings;
use crate::referee::Fault;
use crate::statistics::{
    EloInterval, EloScale, Estimate, NormalizedElo, Pentanomial, Rating, Ratings, SprtSettings,
    Trinomial,
};

/// The table of an event. A rating never goes without the anchors and the openings it holds for.
#[derive(Debug, Clone)]
pub struct Table<'e> {
    standings: &'e Standings<'e>,
    ratings: Ratings,
    /// The engines, the strongest first.
    pub rows: Vec<Row>,
    /// The pairings, in the order of the schedule.
    pub pairings: Vec<PairingRow>,
}

/// An engine's line.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its number in the event.
    pub engine: usize,
    /// What it is called.
    pub name: String,
    /// Its strength.
    pub rating: Rating,
    /// Its results with Black, then with White.
    pub by_color: [Trinomial; 2],
    /// The probability that it is stronger than the engine of the next line.
    pub superiority: Option<f64>,
    /// How often it failed, by how.
    pub faults: Vec<(Fault, u64)>,
}

/// A pairing's line.
#[derive(Debug, Clone)]
pub struct PairingRow {
    /// The two engines.
    pub engines: [usize; 2],
    /// The first engine's results.
    pub games: Trinomial,
    /// Its pairs of games with one opening.
    pub pairs: Pentanomial,
}

/// What the ratings are, for those who read them.
const MODEL: &str = "Bradley-Terry with Davidson's draws and Black's advantage, maximum likelihood; 95 % intervals \
                     from the Fisher information; 400 Elo are odds of ten to one";

impl<'e> Table<'e> {
    /// The table as things stand.
    pub fn of(standings: &'e Standings<'e>) -> Table<'e> {
        let event = standings.event();
        let ratings = standings.pool().fit();
        let mut order: Vec<usize> = (0..event.entrants.len()).collect();
        order.sort_by(|&a, &b| rank(&ratings.ratings[b]).total_cmp(&rank(&ratings.ratings[a])));
        let rows = order
            .iter()
            .enumerate()
            .map(|(place, &engine)| Row {
                engine,
                name: event.entrants[engine].name.clone(),
                rating: ratings.ratings[engine],
                by_color: standings.of_engine(engine),
                superiority: order
                    .get(place + 1)
                    .and_then(|&next| ratings.superiority(engine, next)),
                faults: standings
                    .faults()
                    .iter()
                    .filter(|((it, _), _)| *it == engine)
                    .map(|((_, fault), count)| (*fault, *count))
                    .collect(),
            })
            .collect();
        let pairings = (0..event.pairings.len())
            .map(|pairing| {
                let (games, pairs) = standings.of_pairing(pairing);
                PairingRow { engines: event.pairings[pairing], games, pairs }
            })
            .collect();
        Table { standings, ratings, rows, pairings }
    }

    fn name(&self, engine: usize) -> &str {
        &self.standings.event().entrants[engine].name
    }

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

    fn draw_share(&self) -> f64 {
        let games = self.pairings.iter().map(|row| row.games.games()).sum::<u64>();
        let draws = self.pairings.iter().map(|row| row.games.draws).sum::<u64>();
        if games == 0 { 0.0 } else { draws as f64 / games as f64 }
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

    fn sprt(&self) -> Option<(SprtSettings, EloScale, String)> {
        let event = self.standings.event();
        let wanted = event.settings.sprt?;
        let settings = wanted.settings(event.settings.schedule.games / 2);
        let decision = match self.standings.decision() {
            None => "undecided".to_owned(),
            Some(decision) => {
                let text = serde_json::to_value(decision).unwrap_or_default();
                text.as_str().unwrap_or_default().replace('_', " ")
            }
        };
        Some((settings, wanted.scale, decision))
    }

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

impl Row {
    /// Its results with both colours.
    pub fn all(&self) -> Trinomial {
        let [black, white] = self.by_color;
        Trinomial {
            wins: black.wins + white.wins,
            draws: black.draws + white.draws,
            losses: black.losses + white.losses,
        }
    }

    fn faults_text(&self) -> String {
        let faults = self.faults.iter().map(|(fault, count)| format!("{fault} {count}"));
        faults.collect::<Vec<_>>().join(", ")
    }
}

/// Where a rating stands in the order.
fn rank(rating: &Rating) -> f64 {
    match *rating {
        Rating::Anchor(elo) => elo,
        Rating::Fitted(estimate) => estimate.value,
        Rating::Above(bound) => 1e6 + bound.unwrap_or(0.0),
        Rating::Below(bound) => -1e6 + bound.unwrap_or(0.0),
        Rating::Unknown => -1e9,
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

/// A cell of a CSV file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
