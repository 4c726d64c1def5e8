//! What a net knows by itself, without a search that could find it: each figure beside what ignorance would score.
//!
//! The [`Suite`] is the same for all nets, so figures of different runs can be compared: positions of the games in
//! `data/yardsticks`, which people and programs have played, and of random games by fixed seeds. A yardstick is a function
//! of the suite, the rules of the encoding and the net. Where several moves share the highest logit, each counts
//! as the net's choice in part, so a net that knows nothing scores exactly what a uniform choice does.

use std::fmt;

use keiko_inference::{Backend, BackendError, Context, RequestBatch};
use keiko_shogi::DrawValues;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use material::PieceValues;
pub use suite::Suite;

use suite::{CorpusItem, Item};

mod corpus;
mod material;
mod suite;
mod tasks;

/// The version of the file format, to be changed with the suite.
const VERSION: u32 = 1;

/// The yardsticks of one net.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Yardsticks {
    /// Version of these figures: 1. Figures of different versions cannot be compared.
    pub version: u32,
    /// Standard deviation of the expected score (draws as one half) over all positions, 0 to 0.5. Near 0 the value head
    /// says the same everywhere.
    pub score_spread: f64,
    /// How often the move of the policy was played in the games.
    pub policy: PolicyYardstick,
    /// How often the value says who won.
    pub value: ValueYardstick,
    /// How often the policy mates where it can at once.
    pub mate_in_one: Rate,
    /// How often the policy takes for nothing a piece that is worth more than a pawn and no less than what takes it.
    pub hanging: Rate,
    /// What the value head thinks of the pieces.
    pub pieces: PieceValues,
}

/// Why a text holds no yardsticks.
#[derive(Debug, Error)]
pub enum YardstickError {
    /// It is not TOML with the keys of yardsticks.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// They are of a version that cannot be compared with this program's.
    #[error("version {0} is not {VERSION}, the version of the yardsticks that this program takes")]
    Version(u32),
}

/// How often the move of the policy was played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyYardstick {
    /// Positions.
    pub positions: u64,
    /// Share in which the policy's first move was played.
    pub top1: f64,
    /// What a uniform choice of legal moves is expected to score.
    pub uniform: f64,
    /// What choosing the legal move whose label is the most frequent in the other games scores.
    pub label_frequency: f64,
}

/// How often the value says who won.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueYardstick {
    /// Positions of games that somebody won.
    pub positions: u64,
    /// Share in which the side that the value prefers won; no preference counts as one half.
    pub sign: f64,
    /// What the better of "the side to move always wins" and "it always loses" scores.
    pub constant: f64,
}

/// How often the policy's first move is a right one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Positions.
    pub positions: u64,
    /// Share in which it is.
    pub rate: f64,
    /// What a uniform choice of legal moves is expected to score.
    pub uniform: f64,
}

/// What the net says about one position.
#[derive(Debug, Clone, Copy)]
struct Judged {
    /// Whether its first move is a right one; between moves of equal logits, the share of right ones.
    hit: f64,
    /// Win less loss for the side to move, -1 to 1.
    advantage: f64,
}

impl Judged {
    /// Expected score of the side to move with draws as one half, 0 to 1.
    fn score(self) -> f64 {
        0.5 + self.advantage / 2.0
    }
}

/// Evaluates the whole suite in batches of `batch_shape` rows.
///
/// # Errors
/// The backend fails.
///
/// # Panics
/// `batch_shape` is 0.
pub fn measure<B: Backend + ?Sized>(
    backend: &mut B,
    suite: &Suite,
    batch_shape: usize,
    draw_values: DrawValues,
) -> Result<Yardsticks, BackendError> {
    let context = Context { draw_values };
    let mut judge = |items: &mut dyn Iterator<Item = &Item>| {
        judge(backend, &items.collect::<Vec<_>>(), batch_shape, &context)
    };
    let corpus = judge(&mut suite.corpus.iter().map(|it| &it.item))?;
    let mates = judge(&mut suite.mates.iter())?;
    let hanging = judge(&mut suite.hanging.iter())?;
    let random = judge(&mut suite.random.iter())?;
    let items = suite.corpus.iter().map(|it| &it.item).chain(&suite.random);
    let valued = items
        .zip(corpus.iter().chain(&random))
        .map(|(item, judged)| (item.game.position(), judged.advantage));
    let all: Vec<Judged> =
        [&corpus, &mates, &hanging, &random].into_iter().flatten().copied().collect();
    Ok(Yardsticks {
        version: VERSION,
        score_spread: deviation(&all),
        policy: PolicyYardstick::of(&suite.corpus, &corpus),
        value: ValueYardstick::of(&suite.corpus, &corpus),
        mate_in_one: Rate::of(&suite.mates, &mates),
        hanging: Rate::of(&suite.hanging, &hanging),
        pieces: PieceValues::fit(valued),
    })
}

fn judge<B: Backend + ?Sized>(
    backend: &mut B,
    items: &[&Item],
    batch_shape: usize,
    context: &Context,
) -> Result<Vec<Judged>, BackendError> {
    let mut judged = Vec::with_capacity(items.len());
    let mut batch = RequestBatch::new(backend.encoding(), batch_shape);
    for asked in items.chunks(batch_shape) {
        for item in asked {
            batch.push(&item.game, &item.moves, context);
        }
        let response = backend.evaluate(batch)?;
        judged.extend(asked.iter().enumerate().map(|(row, item)| Judged {
            hit: item.hit(response.logits_of(row)),
            advantage: f64::from(response.wdl()[row].win) - f64::from(response.wdl()[row].loss),
        }));
        batch = response.into_request();
        batch.clear();
    }
    Ok(judged)
}

impl PolicyYardstick {
    fn of(items: &[CorpusItem], judged: &[Judged]) -> Self {
        Self {
            positions: items.len() as u64,
            top1: mean(judged.iter().map(|it| it.hit)),
            uniform: mean(items.iter().map(|it| it.item.uniform())),
            label_frequency: mean(items.iter().map(|it| it.label_frequency_hit)),
        }
    }
}

impl ValueYardstick {
    fn of(items: &[CorpusItem], judged: &[Judged]) -> Self {
        let decided: Vec<(bool, f64)> = items
            .iter()
            .zip(judged)
            .filter_map(|(item, judged)| Some((item.side_to_move_won?, judged.advantage)))
            .collect();
        let right = |&(won, advantage): &(bool, f64)| match advantage.partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Greater) => f64::from(won),
            Some(std::cmp::Ordering::Less) => f64::from(!won),
            _ => 0.5,
        };
        let wins = mean(decided.iter().map(|&(won, _)| f64::from(won)));
        Self {
            positions: decided.len() as u64,
            sign: mean(decided.iter().map(right)),
            constant: wins.max(1.0 - wins),
        }
    }
}

impl Rate {
    fn of(items: &[Item], judged: &[Judged]) -> Self {
        Self {
            positions: items.len() as u64,
            rate: mean(judged.iter().map(|it| it.hit)),
            uniform: mean(items.iter().map(Item::uniform)),
        }
    }
}

/// 0 without values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn deviation(judged: &[Judged]) -> f64 {
    let centre = mean(judged.iter().map(|it| it.score()));
    mean(judged.iter().map(|it| (it.score() - centre).powi(2))).sqrt()
}

impl Yardsticks {
    /// The text of a file.
    ///
    /// # Panics
    /// Never: all yardsticks can be written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("yardsticks have only keys and values that TOML has")
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// It holds no yardsticks of this program's version.
    pub fn from_toml(text: &str) -> Result<Self, YardstickError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        match toml::from_str::<Head>(text)?.version {
            VERSION => Ok(toml::from_str(text)?),
            other => Err(YardstickError::Version(other)),
        }
    }

    /// The figures with the names of their curves, those of the baselines included.
    pub fn metrics(&self) -> Vec<(&'static str, f64)> {
        let Self { policy, value, mate_in_one, hanging, pieces, .. } = self;
        let mut metrics = vec![
            ("policy_top1", policy.top1),
            ("policy_top1_uniform", policy.uniform),
            ("policy_top1_label_frequency", policy.label_frequency),
            ("value_sign", value.sign),
            ("value_sign_constant", value.constant),
            ("mate_in_one", mate_in_one.rate),
            ("mate_in_one_uniform", mate_in_one.uniform),
            ("hanging", hanging.rate),
            ("hanging_uniform", hanging.uniform),
            ("score_spread", self.score_spread),
            ("piece_order", pieces.order_held as f64),
            ("piece_explained", pieces.explained),
        ];
        metrics.extend(pieces.named());
        metrics
    }
}

impl fmt::Display for Yardsticks {
    /// A table, a yardstick a line, each beside its baselines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, value, mate_in_one, hanging, pieces, .. } = self;
        let percent = |share: f64| 100.0 * share;
        writeln!(f, "{:<26} {:>7}  baseline", "yardstick, without search", "net")?;
        writeln!(
            f,
            "{:<26} {:>6.1}%  uniform {:.1}%, most frequent label {:.1}%  ({} positions)",
            "policy's move was played",
            percent(policy.top1),
            percent(policy.uniform),
            percent(policy.label_frequency),
            policy.positions,
        )?;
        writeln!(
            f,
            "{:<26} {:>6.1}%  always the same side {:.1}%  ({} positions)",
            "value's side won",
            percent(value.sign),
            percent(value.constant),
            value.positions,
        )?;
        for (name, rate) in [("mates in one", mate_in_one), ("takes a hanging piece", hanging)] {
            writeln!(
                f,
                "{name:<26} {:>6.1}%  uniform {:.1}%  ({} positions)",
                percent(rate.rate),
                percent(rate.uniform),
                rate.positions,
            )?;
        }
        writeln!(f, "{:<26} {:>7.3}  constant 0", "spread of the score", self.score_spread)?;
        writeln!(
            f,
            "{:<26} {:>4}/{}  by chance {:.1}",
            "pieces in their order",
            pieces.order_held,
            pieces.order_relations,
            pieces.order_relations as f64 / 2.0,
        )?;
        let values: Vec<String> =
            pieces.named().iter().map(|(name, value)| format!("{name} {value:+.3}")).collect();
        writeln!(
            f,
            "{:<26} {} in log-odds of the value (material explains {:.0}%)",
            "a piece more",
            values.join(", "),
            percent(pieces.explained),
        )
    }
}
