//! The match that makes a candidate the champion, or does not, and what the candidate knows without a search.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use keiko_arena::contest::ContestError;
use keiko_arena::gate::{self, GateError, GateMatch, GateSettings, Verdict};
use keiko_arena::openings::OpeningSettings;
use keiko_inference::BackendError;
use keiko_replay::seed;

use super::backend::Evaluator;
use super::devices::Devices;
use super::{Ended, Pipeline, yardsticks};
use crate::run::Champion;

impl Pipeline<'_> {
    /// Candidates that have been judged; they are judged in order.
    pub(super) fn verdicts(&self) -> anyhow::Result<u32> {
        let mut judged = 0;
        for candidate in self.candidates()? {
            if self.verdict(&candidate.model)?.is_none() {
                break;
            }
            judged += 1;
        }
        Ok(judged)
    }

    /// The verdict on a model, if it was judged.
    pub(super) fn verdict(&self, model: &str) -> anyhow::Result<Option<Verdict>> {
        self.run.verdict(model)
    }

    /// Refuses a candidate that waits for its verdict and has no model: whose entry names another one, or lost its own.
    pub(super) fn check_candidates(&self) -> anyhow::Result<()> {
        for candidate in self.candidates()? {
            let key = format!("models/{}/manifest.toml", candidate.model);
            if self.verdict(&candidate.model)?.is_none() && !self.run.store().exists(&key)? {
                let number = candidate.number;
                bail!(
                    "{key} is missing, which candidates/{number:06}.toml names: put back from a copy of the run what is \
                     damaged of the two"
                );
            }
        }
        Ok(())
    }

    /// Judges the candidate of a generation.
    pub(super) fn judge_candidate(&self, generation: u32) -> anyhow::Result<Ended> {
        let config = self.run.config();
        let candidate = self.candidates()?.swap_remove(generation as usize);
        let champion = self.run.champions().current()?;
        let opening_text = match &config.gate.openings {
            OpeningSettings::File { path } => Some(
                std::fs::read_to_string(path)
                    .with_context(|| format!("gate.openings.path {path}"))?,
            ),
            OpeningSettings::Random { .. } => None,
        };
        let match_ = GateMatch {
            candidate: &candidate.model,
            champion: &champion.model,
            opening_seed: seed::derive(config.seed, "gate", u64::from(generation)),
            opening_text: opening_text.as_deref(),
            settings: &config.gate,
            search: config.search,
            rules: config.rules.rules(),
            draw_values: self.draw_values(generation)?,
            workers: config.selfplay.workers,
        };
        let players = [&candidate.model, &champion.model].map(|m| self.run.model(m));
        let devices = Devices::new(&config.inference);
        let net = |m| Evaluator::net(&m, &config.inference, self.run.watchdog(), &devices);
        let [new, old] = players.map(|m| m.map(net));
        let (new, old) = (new?, old?);
        let taken = self.take_yardsticks(generation, &candidate.model, &new)?;
        self.plot_yardsticks(candidate.step, &taken)?;
        let mut display = self.display("gate", generation, u64::from(config.gate.sprt.cap_pairs));
        let mut busy = devices.watch();
        let result = gate::run(
            self.run.store(),
            &match_,
            |worker| Ok::<_, BackendError>([new.open(worker)?, old.open(worker)?]),
            |standing| {
                let pairs = standing.tally.pairs.pairs();
                let busy = busy.recently();
                display.update(pairs, &format!("pairs, LLR {:+.2}{busy}", standing.llr));
                if self.stop.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(GateError::Contest(ContestError::Interrupted)) => return Ok(Ended::Stopped),
            Err(error) => return Err(error.into()),
        };
        let busy = busy.figures();
        let mut curves = vec![
            ("promoted", f64::from(u8::from(verdict.promoted))),
            ("llr", verdict.llr),
            ("pairs", verdict.pairs.pairs() as f64),
        ];
        curves.extend(busy.iter().map(|(name, share)| (name.as_str(), *share)));
        curves.extend(
            verdict.elo.map(|elo| ("elo", elo.estimate)).filter(|(_, elo)| elo.is_finite()),
        );
        self.board()?.scalars(candidate.step, "gate", &curves);
        // A kill after the verdict is mended when the run is opened again: see `Pipeline::new`.
        self.promote(generation, &verdict)?;
        self.complete_metrics()?;
        let busy: Vec<(&str, f64)> = busy.iter().map(|(name, it)| (name.as_str(), *it)).collect();
        self.time("gate", generation, display.elapsed(), &busy)?;
        let line = describe(generation, &verdict);
        display.finish(&format!("{line}, {}", conditions(&config.gate)));
        self.console.line(&yardsticks::describe(generation, &taken));
        let warnings = self.warnings(generation, Some(&taken))?;
        for warning in &warnings {
            self.console.line(warning);
        }
        if let Some(pulse) = self.run.pulse() {
            pulse.warn(warnings);
        }
        Ok(Ended::Complete)
    }

    /// Enters a candidate that passed in the champion log, once.
    fn promote(&self, generation: u32, verdict: &Verdict) -> anyhow::Result<()> {
        let entered = self.run.champions().all()?.iter().any(|c| c.candidate == Some(generation));
        if !verdict.promoted || entered {
            return Ok(());
        }
        let model = verdict.candidate.clone();
        self.run.crown(&Champion { model, candidate: Some(generation) })
    }

    /// Enters promotions that a killed gate left out of the champion log.
    pub(super) fn mend_champions(&self) -> anyhow::Result<()> {
        for (generation, candidate) in (0..).zip(self.candidates()?) {
            if let Some(verdict) = self.verdict(&candidate.model)? {
                self.promote(generation, &verdict)?;
            }
        }
        Ok(())
    }
}

/// What must stand beside the Elo of a gate's matches.
pub(super) fn conditions(gate: &GateSettings) -> String {
    format!("from {}, no anchor", gate.openings.described(gate.sprt.cap_pairs as usize))
}

/// A verdict in one line.
pub(super) fn describe(generation: u32, verdict: &Verdict) -> String {
    let elo = verdict.elo.map_or_else(
        || "no pair counted".to_owned(),
        // Adding 0 turns a negative zero, which prints as -0, into a positive one.
        |e| format!("Elo {:+.0} ({:+.0} to {:+.0})", e.estimate + 0.0, e.low + 0.0, e.high + 0.0),
    );
    let games = &verdict.games;
    format!(
        "candidate {generation} {}: {}-{}-{} (won-drawn-lost) against the champion, {elo}, LLR {:+.2}",
        if verdict.promoted { "promoted" } else { "rejected" },
        games.wins,
        games.draws,
        games.losses,
        verdict.llr,
    )
}
