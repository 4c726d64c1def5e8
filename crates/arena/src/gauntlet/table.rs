use super::Standings;
use crate::referee::Fault;
use crate::statistics::{EloScale, Pentanomial, Rating, Ratings, SprtSettings, Trinomial};

mod data;
mod text;

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

    fn draw_share(&self) -> f64 {
        let games = self.pairings.iter().map(|row| row.games.games()).sum::<u64>();
        let draws = self.pairings.iter().map(|row| row.games.draws).sum::<u64>();
        if games == 0 { 0.0 } else { draws as f64 / games as f64 }
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
