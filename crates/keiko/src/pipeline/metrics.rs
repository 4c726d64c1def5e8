//! The lines of `metrics.jsonl` that are not the trainer's: games, yardsticks, warnings and verdict of a candidate.
//!
//! They follow the line of the candidate. A trainer that is opened cuts the file back to what its checkpoint
//! knows of, which are lines up to a candidate's or later ones. So these lines are made anew from what the store
//! holds whenever a candidate that was judged is the last thing in the file, and a run has the same
//! metrics however often it was stopped.

use std::collections::BTreeMap;

use anyhow::{Context as _, anyhow};
use keiko_arena::gate::Verdict;
use keiko_arena::statistics::Decision;
use keiko_network::PerHead;
use keiko_trainer::METRICS;
use keiko_trainer::event::{Candidate, HeldOutReport};
use serde::{Deserialize, Serialize};

use super::Pipeline;
use super::games::Games;

/// What the line of a verdict begins with, and nothing else does.
const VERDICT: &str = "{\"event\":\"verdict\"";

/// A line about a judged candidate.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// The games that its generation added.
    Games(&'a Games),
    /// What it knows without a search.
    Yardsticks {
        generation: u32,
        step: u64,
        #[serde(flatten)]
        figures: BTreeMap<&'static str, f64>,
    },
    /// A cause for concern.
    Warning { generation: u32, text: &'a str },
    /// Its match against the champion. Elo is null where it is infinite or no pair counted.
    Verdict {
        generation: u32,
        step: u64,
        promoted: bool,
        decision: Decision,
        llr: f64,
        elo: Option<f64>,
        elo_low: Option<f64>,
        elo_high: Option<f64>,
        wins: u64,
        draws: u64,
        losses: u64,
        pairs: [u64; 5],
    },
}

impl Line<'_> {
    fn text(&self) -> String {
        let line = serde_json::to_string(self).expect("lines are numbers and text");
        format!("{line}\n")
    }
}

/// What `metrics.jsonl` says, as far as summaries need it.
#[derive(Debug, Default)]
struct Metrics {
    /// Losses on held-out games, by step.
    held_out: BTreeMap<u64, HeldOutReport>,
    /// Games, by generation.
    games: BTreeMap<u32, Games>,
    /// Losses of auxiliary heads while training, by step.
    heads: BTreeMap<u64, PerHead<Option<f64>>>,
}

/// The part of a line about steps that is drawn.
#[derive(Deserialize)]
struct StepsLine {
    step: u64,
    reply_loss: Option<f64>,
    plies_left_loss: Option<f64>,
    soft_policy_loss: Option<f64>,
}

impl Metrics {
    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut metrics = Self::default();
        // A line that another process is still writing has no end.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        // Empty lines stand where lines were lost and given up.
        for (number, line) in (1..).zip(whole.lines()).filter(|(_, line)| !line.is_empty()) {
            metrics.add(line).map_err(|error| {
                // The parser counts its one line as line 1.
                let problem = error.to_string().replace(" at line 1 column ", " at column ");
                anyhow!("{METRICS} line {number}: {problem}")
            })?;
        }
        Ok(metrics)
    }

    fn add(&mut self, line: &str) -> Result<(), serde_json::Error> {
        let mut value: serde_json::Value = serde_json::from_str(line)?;
        let event = value.as_object_mut().and_then(|fields| fields.remove("event"));
        match event.as_ref().and_then(|event| event.as_str()) {
            Some("held_out") => {
                let report: HeldOutReport = serde_json::from_value(value)?;
                self.held_out.insert(report.step, report);
            }
            Some("games") => {
                let games: Games = serde_json::from_value(value)?;
                self.games.insert(games.generation, games);
            }
            Some("steps") => {
                let line: StepsLine = serde_json::from_value(value)?;
                let heads = PerHead {
                    reply: line.reply_loss,
                    plies_left: line.plies_left_loss,
                    soft_policy: line.soft_policy_loss,
                };
                if heads != PerHead::default() {
                    self.heads.insert(line.step, heads);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Losses of candidates, by their steps.
#[derive(Debug)]
pub(crate) struct CandidateLosses {
    /// On held-out games.
    pub(crate) held_out: BTreeMap<u64, HeldOutReport>,
    /// Of auxiliary heads, in the last report while it was trained.
    heads: BTreeMap<u64, PerHead<Option<f64>>>,
}

impl CandidateLosses {
    /// The last report of the auxiliary heads after step `after` and up to step `step`.
    pub(crate) fn heads(&self, after: u64, step: u64) -> PerHead<Option<f64>> {
        let mut reports = self.heads.range(after + 1..=step.max(after + 1));
        reports.next_back().filter(|it| *it.0 <= step).map(|it| *it.1).unwrap_or_default()
    }
}

impl Pipeline<'_> {
    fn metrics_text(&self) -> anyhow::Result<String> {
        if !self.run.store().exists(METRICS)? {
            return Ok(String::new());
        }
        String::from_utf8(self.run.store().get(METRICS)?).context(METRICS)
    }

    /// The candidates' losses on held-out games, by step, as the metrics say so far; the games that they
    /// count need not be read any more.
    pub(crate) fn held_out(&self) -> anyhow::Result<BTreeMap<u64, HeldOutReport>> {
        Ok(self.candidate_losses()?.held_out)
    }

    /// [`held_out`](Self::held_out) with the losses of auxiliary heads.
    pub(crate) fn candidate_losses(&self) -> anyhow::Result<CandidateLosses> {
        let Metrics { held_out, games, heads } = Metrics::parse(&self.metrics_text()?)?;
        self.games.borrow_mut().extend(games);
        Ok(CandidateLosses { held_out, heads })
    }

    /// How many candidates have the line of their verdict.
    pub(super) fn verdicts_noted(&self) -> anyhow::Result<u32> {
        Ok(self.metrics_text()?.matches(VERDICT).count() as u32)
    }

    /// Appends the lines of judged candidates after the first `noted`, and says how many have theirs now. In `async` mode
    /// the learner does so between two generations: the file has one writer.
    pub(super) fn add_verdicts(&self, mut noted: u32) -> anyhow::Result<u32> {
        for candidate in self.candidates()?.iter().skip(noted as usize) {
            let Some(verdict) = self.verdict(&candidate.model)? else { break };
            self.run.store().append(METRICS, &self.lines(candidate, &verdict)?)?;
            noted += 1;
        }
        Ok(noted)
    }

    /// Appends the lines of the newest judged candidate, as far as they are not there. Not in `async` mode: see
    /// [`add_verdicts`](Self::add_verdicts).
    pub(super) fn complete_metrics(&self) -> anyhow::Result<()> {
        if self.run.config().pipeline.is_async() {
            return Ok(());
        }
        let text = self.metrics_text()?;
        let Some((number, end)) = last_candidate(&text) else { return Ok(()) };
        let after = &text[end..];
        let is_whole = after.contains(VERDICT) && after.ends_with('\n');
        if is_whole || after.starts_with("{\"event\":\"window\"") {
            return Ok(());
        }
        let candidates = self.candidates()?;
        let Some(candidate) = candidates.get(number as usize) else { return Ok(()) };
        let Some(verdict) = self.verdict(&candidate.model)? else { return Ok(()) };
        let lines = self.lines(candidate, &verdict)?;
        if lines.starts_with(after) {
            self.run.store().truncate(METRICS, end as u64)?;
            self.run.store().append(METRICS, &lines)?;
        }
        Ok(())
    }

    /// All lines of a judged candidate.
    fn lines(&self, candidate: &Candidate, verdict: &Verdict) -> anyhow::Result<String> {
        let (generation, step) = (candidate.number, candidate.step);
        let mut text = Line::Games(&self.games(generation)?).text();
        let taken = self.yardsticks(&candidate.model)?;
        if let Some(taken) = &taken {
            let figures = taken.metrics().into_iter().collect();
            text += &Line::Yardsticks { generation, step, figures }.text();
        }
        for warning in self.concerns(generation, taken.as_ref())? {
            text += &Line::Warning { generation, text: &warning }.text();
        }
        // Adding 0 turns a negative zero into a positive one.
        let finite = |elo: Option<f64>| elo.filter(|elo| elo.is_finite()).map(|elo| elo + 0.0);
        let line = Line::Verdict {
            generation,
            step,
            promoted: verdict.promoted,
            decision: verdict.decision,
            llr: verdict.llr,
            elo: finite(verdict.elo.map(|elo| elo.estimate)),
            elo_low: finite(verdict.elo.map(|elo| elo.low)),
            elo_high: finite(verdict.elo.map(|elo| elo.high)),
            wins: verdict.games.wins,
            draws: verdict.games.draws,
            losses: verdict.games.losses,
            pairs: verdict.pairs.counts,
        };
        Ok(text + &line.text())
    }
}

/// The number of the last candidate that the metrics name, and where its line ends.
fn last_candidate(text: &str) -> Option<(u32, usize)> {
    let start = text.rfind("{\"event\":\"candidate\"")?;
    let end = start + text[start..].find('\n')? + 1;
    let line: serde_json::Value = serde_json::from_str(&text[start..end]).ok()?;
    Some((u32::try_from(line.get("number")?.as_u64()?).ok()?, end))
}

#[cfg(test)]
mod tests {
    use keiko_selfplay::{Statistics, Thresholds};

    use super::*;

    const CANDIDATE: &str = "{\"event\":\"candidate\",\"number\":3,\"model\":\"aa\",\"step\":4,\"rows\":8,\"entries\":1}\n";

    #[test]
    fn the_last_candidate_is_found_with_the_end_of_its_line() {
        let before = format!("{{\"event\":\"window\"}}\n{}", CANDIDATE.replace(":3,", ":2,"));
        let text = format!("{before}{CANDIDATE}{{\"event\":\"games\"");
        let end = before.len() + CANDIDATE.len();
        assert_eq!(last_candidate(&text), Some((3, end)));
        assert_eq!(last_candidate(CANDIDATE.trim_end()), None);
        assert_eq!(last_candidate(""), None);
    }

    #[test]
    fn the_last_report_of_heads_before_a_candidate_is_its_own() {
        let line =
            |step: u64, reply: &str| format!("{{\"event\":\"steps\",\"step\":{step}{reply}}}\n");
        let text = line(2, ",\"reply_loss\":2.0") + &line(4, ",\"reply_loss\":1.5") + &line(6, "");
        let Metrics { held_out, heads, .. } = Metrics::parse(&text).expect("lines");
        let losses = CandidateLosses { held_out, heads };
        let reply = |after, step| losses.heads(after, step).reply;
        assert_eq!([reply(0, 5), reply(0, 3), reply(2, 3)], [Some(1.5), Some(2.0), None]);
        assert_eq!([reply(4, 6), reply(4, 4), reply(3, 4)], [None, None, Some(1.5)]);
    }

    #[test]
    fn lines_of_games_are_read_as_they_are_written_and_half_a_line_is_left() {
        let games = Games::of(7, &Statistics::default(), &Thresholds::NEVER);
        let text = format!("{CANDIDATE}{}{{\"event\":\"ga", Line::Games(&games).text());
        let metrics = Metrics::parse(&text).expect("lines");
        assert_eq!(metrics.games[&7], games);
        let lost = Metrics::parse(&format!("\n\n\n{}", Line::Games(&games).text())).expect("lines");
        assert_eq!(lost.games[&7], games);
        let broken = Metrics::parse("{}\nnothing\n").expect_err("no JSON");
        let expected = "metrics.jsonl line 2: expected ident at column 2";
        assert_eq!(format!("{broken:#}"), expected);
    }
}
