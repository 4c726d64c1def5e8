//! What a run has done so far, read from its store: what reports are made from.

use std::collections::BTreeMap;

use anyhow::Context as _;
use keiko_arena::gate::Verdict;
use keiko_arena::yardstick::Yardsticks;
use keiko_network::PerHead;
use keiko_trainer::TIMING;
use keiko_trainer::event::HeldOutReport;

use super::games::Games;
use super::{Pipeline, Stage, gate};

/// A run so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// The run's name.
    pub(crate) name: String,
    /// Facts about the run by their names.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// What must stand beside the Elo of its gate's matches: where they started, and that they have no anchor.
    pub(crate) gate: String,
    /// Seconds by stage, of all stages that came to an end.
    pub(crate) seconds: BTreeMap<String, f64>,
    /// Generations that have a candidate, the first one first.
    pub(crate) generations: Vec<Chapter>,
    /// Causes for concern, a line each.
    pub(crate) warnings: Vec<String>,
}

/// A generation that has a candidate.
#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    /// The generation.
    pub(crate) generation: u32,
    /// Steps its candidate was trained.
    pub(crate) step: u64,
    /// Its games.
    pub(crate) games: Games,
    /// The candidate's losses on held-out games, if there are any.
    pub(crate) held_out: Option<HeldOutReport>,
    /// Losses of the auxiliary heads that it was trained with, at the end of its training.
    pub(crate) heads: PerHead<Option<f64>>,
    /// What the candidate knows without a search, if that was measured.
    pub(crate) yardsticks: Option<Yardsticks>,
    /// The candidate's match against the champion, if it was judged.
    pub(crate) verdict: Option<Verdict>,
}

impl Chapter {
    /// The verdict in a line.
    pub(crate) fn verdict_line(&self) -> Option<String> {
        self.verdict.as_ref().map(|verdict| gate::describe(self.generation, verdict))
    }
}

impl Pipeline<'_> {
    /// What the run has done so far.
    pub(crate) fn history(&self) -> anyhow::Result<History> {
        let mut losses = self.candidate_losses()?;
        let mut trained = 0;
        let mut generations = Vec::new();
        let mut warnings = Vec::new();
        for (generation, candidate) in (0..).zip(self.candidates()?) {
            let yardsticks = self.yardsticks(&candidate.model)?;
            warnings.extend(self.warnings(generation, yardsticks.as_ref())?);
            generations.push(Chapter {
                generation,
                step: candidate.step,
                games: self.games(generation)?,
                heads: losses.heads(trained, candidate.step),
                held_out: losses.held_out.remove(&candidate.step),
                yardsticks,
                verdict: self.verdict(&candidate.model)?,
            });
            trained = candidate.step;
        }
        Ok(History {
            name: self.run.name(),
            facts: self.facts()?,
            gate: gate::conditions(&self.run.config().gate),
            seconds: self.seconds()?,
            generations,
            warnings,
        })
    }

    fn facts(&self) -> anyhow::Result<Vec<(&'static str, String)>> {
        let config = self.run.config();
        let provenance = self.run.provenance()?;
        let network = &config.network;
        let net = format!("{}, {} parameters", network.short_name(), network.parameters());
        let champion = self.run.champions().current()?;
        let who = champion.candidate.map_or_else(
            || self.run.first_net().to_owned(),
            |number| format!("candidate {number}"),
        );
        let state = match self.next()? {
            Stage::Selfplay { generation } => {
                format!("next are the games of generation {generation}")
            }
            Stage::Learn { generation } => {
                format!("next is the training of generation {generation}")
            }
            Stage::Gate { generation } => format!("next is the gate for candidate {generation}"),
            Stage::Done => "all generations are done".to_owned(),
        };
        let (player, games) = (config.search.root, config.games_per_generation);
        Ok(vec![
            ("champion", format!("{who}, {}", short(&champion.model))),
            ("state", state),
            ("net", format!("{net}, reads {}", network.encoding)),
            (
                "device",
                format!(
                    "{} for games, {} for training",
                    config.inference.device, config.trainer.device
                ),
            ),
            ("search", format!("{player:?}, {} simulations a move", config.simulations())),
            (
                "games",
                match self.run.origin() {
                    Some(origin) => format!(
                        "first those of {} from {}, then {games} in each of {} generations",
                        origin.shards.iter().map(|shard| u64::from(shard.games)).sum::<u64>(),
                        origin.run.display(),
                        config.generations.saturating_sub(1)
                    ),
                    None => format!(
                        "{} in the first of {} generations, then {games} in each",
                        config.first_generation.games, config.generations
                    ),
                },
            ),
            (
                "gate",
                format!(
                    "at most {} pairs of games, {} simulations a move",
                    config.gate.sprt.cap_pairs, config.gate.simulations
                ),
            ),
            (
                "rules",
                format!("{}, at most {} plies", config.rules.impasse, config.rules.max_plies),
            ),
            ("seed", config.seed.to_string()),
            ("program", format!("{} on {}", provenance.program, provenance.cpu)),
            ("config", short(&self.run.config_sha256().to_string()).to_owned()),
        ])
    }

    /// Seconds by stage, of all stages that came to an end.
    fn seconds(&self) -> anyhow::Result<BTreeMap<String, f64>> {
        let mut seconds = BTreeMap::new();
        if !self.run.store().exists(TIMING)? {
            return Ok(seconds);
        }
        let text = String::from_utf8(self.run.store().get(TIMING)?).context(TIMING)?;
        for line in text.lines() {
            // A kill may have left a line without its end; the times are not what a run depends on.
            let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let field = |name: &str| value.get(name);
            let stage = field("stage").and_then(|stage| stage.as_str());
            if let (Some(stage), Some(took)) = (stage, field("seconds").and_then(|s| s.as_f64())) {
                *seconds.entry(stage.to_owned()).or_default() += took;
            }
        }
        Ok(seconds)
    }
}

/// The beginning of a hash, enough to name its thing.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
