use std::fmt::Write as _;

use keiko_arena::statistics::{EloInterval, SprtSettings, Trinomial};
use keiko_arena::tally::Tally;
use serde_json::{Value, json};

/// What a match came to; all counts are the first player's.
pub(super) struct Report {
    pub(super) first: String,
    pub(super) second: String,
    /// Simulations of a search.
    pub(super) simulations: u32,
    pub(super) seed: u64,
    /// Where the games started, in words: an Elo means little without it.
    pub(super) openings: String,
    pub(super) tally: Tally,
    /// The sequential test, if one was asked for.
    pub(super) sprt: Option<Sprt>,
    /// What went wrong, a line each.
    pub(super) failures: Vec<String>,
}

/// A sequential test at its end.
pub(super) struct Sprt {
    pub(super) settings: SprtSettings,
    pub(super) llr: f64,
}

impl Sprt {
    /// What was decided.
    fn decision(&self) -> &'static str {
        if self.llr >= self.settings.upper_bound() {
            "accepted"
        } else if self.llr <= self.settings.lower_bound() {
            "rejected"
        } else {
            "undecided"
        }
    }
}

impl Report {
    fn elo(&self) -> Option<EloInterval> {
        EloInterval::from_pairs(&self.tally.pairs)
    }

    fn elo_text(&self) -> String {
        self.elo().map_or_else(
            || "no pair counted".to_owned(),
            // Adding 0 turns a negative zero, which prints as -0, into a positive one.
            |elo| {
                let [low, estimate, high] = [elo.low, elo.estimate, elo.high].map(|e| e.0 + 0.0);
                format!("Elo {estimate:+.0} (95 %: {low:+.0} to {high:+.0})")
            },
        )
    }

    /// The result in one line.
    pub(super) fn line(&self) -> String {
        let games = &self.tally.games;
        format!(
            "{} against {}: {} (won-drawn-lost), {}, from {}, no anchor",
            self.first,
            self.second,
            counts(games),
            self.elo_text(),
            self.openings
        )
    }

    /// The result for people.
    pub(super) fn text(&self) -> String {
        let Tally { pairs, games, by_color: [black, white], reasons, repeated_pairs, .. } =
            &self.tally;
        let mut text = format!("{}\n", self.line());
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<14} {value}");
        };
        line("score", format!("{:.1} % of {} games", 100.0 * games.score(), games.games()));
        line("as Black", format!("{}, {:.1} %", counts(black), 100.0 * black.score()));
        line("as White", format!("{}, {:.1} %", counts(white), 100.0 * white.score()));
        line("Black's score", format!("{:.1} %", 100.0 * self.tally.black.score()));
        let points = pairs.counts.map(|count| count.to_string()).join(" ");
        line("pairs", format!("{points} (with 0, ½, 1, 1½, 2 points), {repeated_pairs} repeated"));
        let ends: Vec<String> =
            reasons.iter().map(|(name, count)| format!("{name} {count}")).collect();
        line("ends", ends.join(", "));
        if let Some(sprt) = &self.sprt {
            let SprtSettings { elo0, elo1, .. } = sprt.settings;
            let (lower, upper) = (sprt.settings.lower_bound(), sprt.settings.upper_bound());
            line(
                "SPRT",
                format!(
                    "Elo {elo1} over {elo0}: {}, LLR {:+.2} ({lower:.2} to {upper:.2})",
                    sprt.decision(),
                    sprt.llr
                ),
            );
        }
        self.failures.iter().for_each(|failure| line("failure", failure.clone()));
        text
    }

    /// The result for programs.
    pub(super) fn json(&self) -> Value {
        let Tally { pairs, games, by_color: [black, white], reasons, repeated_pairs, .. } =
            &self.tally;
        let elo = self.elo().map(|elo| {
            // JSON has no infinity: it becomes null.
            json!({ "low": elo.low.0, "estimate": elo.estimate.0, "high": elo.high.0 })
        });
        let sprt = self.sprt.as_ref().map(|sprt| {
            json!({
                "elo0": sprt.settings.elo0, "elo1": sprt.settings.elo1, "llr": sprt.llr,
                "llr_lower": sprt.settings.lower_bound(), "llr_upper": sprt.settings.upper_bound(),
                "decision": sprt.decision(),
            })
        });
        json!({
            "first": self.first, "second": self.second, "simulations": self.simulations, "seed": self.seed,
            "openings": self.openings, "anchors": null,
            "games": games, "score": games.score(), "as_black": black, "as_white": white,
            "black_score": self.tally.black.score(), "pairs": pairs, "repeated_pairs": repeated_pairs,
            "elo": elo, "reasons": reasons, "sprt": sprt, "failures": self.failures,
        })
    }
}

fn counts(games: &Trinomial) -> String {
    format!("{}-{}-{}", games.wins, games.draws, games.losses)
}

#[cfg(test)]
mod tests {
    use keiko_arena::statistics::Pentanomial;

    use super::*;

    fn report() -> Report {
        let half = Trinomial { wins: 7, draws: 1, losses: 2 };
        let tally = Tally {
            pairs: Pentanomial { counts: [1, 0, 2, 2, 5] },
            games: Trinomial { wins: 14, draws: 2, losses: 4 },
            by_color: [half, half],
            black: Trinomial { wins: 9, draws: 2, losses: 9 },
            reasons: [("checkmate".to_owned(), 18), ("max_plies".to_owned(), 2)].into(),
            repeated_pairs: 0,
        };
        let settings = SprtSettings {
            elo0: 0.0,
            elo1: 100.0,
            alpha: 0.05,
            beta: 0.05,
            min_pairs: 1,
            cap_pairs: 10,
        };
        Report {
            first: "champion".to_owned(),
            second: "greedy".to_owned(),
            simulations: 8,
            seed: 1,
            openings: "10 random quiet openings of 6 plies (seed 1)".to_owned(),
            tally,
            sprt: Some(Sprt { settings, llr: 3.0 }),
            failures: Vec::new(),
        }
    }

    #[test]
    fn a_report_names_everything_that_was_counted() {
        let text = report().text();
        for part in [
            "champion against greedy: 14-2-4 (won-drawn-lost), Elo +191 (95 %: ",
            "from 10 random quiet openings of 6 plies (seed 1), no anchor",
            "75.0 % of 20 games",
            "7-1-2, 75.0 %",
            "50.0 %",
            "1 0 2 2 5 (with",
            "checkmate 18, max_plies 2",
            "Elo 100 over 0: accepted, LLR +3.00 (-2.94 to 2.94)",
        ] {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
    }

    #[test]
    fn json_has_the_same_and_null_for_infinity() {
        let mut report = report();
        let found = report.json();
        assert_eq!(found["games"]["wins"], 14);
        assert_eq!(found["pairs"], json!([1, 0, 2, 2, 5]));
        assert_eq!(found["sprt"]["decision"], "accepted");
        report.tally.pairs = Pentanomial { counts: [0, 0, 0, 0, 10] };
        assert_eq!(report.json()["elo"]["estimate"], Value::Null);
    }
}
