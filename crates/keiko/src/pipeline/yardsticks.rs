//! The yardsticks of the candidates: `gate/<sha256>/yardsticks.toml`.

use std::time::Instant;

use anyhow::Context as _;
use keiko_arena::yardstick::{self, Suite, Yardsticks};

use super::Pipeline;
use super::backend::Evaluator;
use super::warnings;

impl Pipeline<'_> {
    /// The yardsticks of a model, if they were taken.
    pub(super) fn yardsticks(&self, model: &str) -> anyhow::Result<Option<Yardsticks>> {
        let key = key(model);
        if !self.run.store().exists(&key)? {
            return Ok(None);
        }
        let text = String::from_utf8(self.run.store().get(&key)?).with_context(|| key.clone())?;
        Ok(Some(Yardsticks::from_toml(&text).with_context(|| key)?))
    }

    /// Takes the yardsticks of a model, or reads them if that was done.
    pub(super) fn take_yardsticks(
        &self,
        generation: u32,
        model: &str,
        net: &Evaluator,
    ) -> anyhow::Result<Yardsticks> {
        if let Some(taken) = self.yardsticks(model)? {
            return Ok(taken);
        }
        let config = self.run.config();
        let started = Instant::now();
        let suite = Suite::new(config.rules.rules());
        let shape = config.gate.group.batch_shape;
        let draw_values = config.rules.draw_values();
        let taken = yardstick::measure(&mut net.open(0)?, &suite, shape, draw_values)?;
        self.run.store().put_new(&key(model), taken.to_toml().as_bytes())?;
        self.time("yardsticks", generation, started.elapsed(), &[])?;
        Ok(taken)
    }

    /// What gives cause for concern in a generation.
    pub(super) fn concerns(
        &self,
        generation: u32,
        yardsticks: Option<&Yardsticks>,
    ) -> anyhow::Result<Vec<String>> {
        Ok(warnings::of(&self.games(generation)?, yardsticks))
    }

    /// The same as lines of text that stand by themselves.
    pub(super) fn warnings(
        &self,
        generation: u32,
        yardsticks: Option<&Yardsticks>,
    ) -> anyhow::Result<Vec<String>> {
        let lines = self.concerns(generation, yardsticks)?;
        Ok(lines.iter().map(|line| format!("warning: generation {generation}: {line}")).collect())
    }

    /// Draws yardsticks as curves.
    pub(super) fn plot_yardsticks(&self, step: u64, taken: &Yardsticks) -> anyhow::Result<()> {
        let mut board = self.board()?;
        board.scalars(step, "yardsticks", &taken.metrics());
        board.flush();
        Ok(())
    }
}

fn key(model: &str) -> String {
    format!("gate/{model}/yardsticks.toml")
}

/// The title of the table whose lines are made by [`line()`].
pub(super) fn title() -> String {
    format!(
        "{:>3}  {:>20} {:>14} {:>14} {:>14} {:>7} {:>6}",
        "gen",
        "top-1 (unif., freq.)",
        "value (const.)",
        "mate 1 (unif.)",
        "hangs (unif.)",
        "spread",
        "order"
    )
}

/// One generation's yardsticks, each beside its baselines.
pub(super) fn line(generation: u32, taken: &Yardsticks) -> String {
    let p = |share: f64| 100.0 * share;
    let Yardsticks { policy, value, mate_in_one, hanging, pieces, .. } = taken;
    format!(
        "{generation:>3}  {:>7.1} ({:>4.1}, {:>4.1}) {:>7.1} ({:>4.1}) {:>7.1} ({:>4.1}) {:>7.1} ({:>4.1}) {:>7.3} {:>3}/{}",
        p(policy.top1),
        p(policy.uniform),
        p(policy.label_frequency),
        p(value.sign),
        p(value.constant),
        p(mate_in_one.rate),
        p(mate_in_one.uniform),
        p(hanging.rate),
        p(hanging.uniform),
        taken.score_spread,
        pieces.order_held,
        pieces.order_relations,
    )
}

/// The yardsticks in one line for the console.
pub(super) fn describe(generation: u32, taken: &Yardsticks) -> String {
    let p = |share: f64| 100.0 * share;
    let Yardsticks { policy, value, mate_in_one, hanging, pieces, .. } = taken;
    format!(
        "candidate {generation} without search: top-1 {:.1} % (frequency {:.1} %), value {:.1} % (constant {:.1} %), \
         mates {:.1} % (uniform {:.1} %), hanging {:.1} % (uniform {:.1} %), pieces {}/{} in order",
        p(policy.top1),
        p(policy.label_frequency),
        p(value.sign),
        p(value.constant),
        p(mate_in_one.rate),
        p(mate_in_one.uniform),
        p(hanging.rate),
        p(hanging.uniform),
        pieces.order_held,
        pieces.order_relations,
    )
}
