//! What a model computes on known positions.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use keiko_encoding::{Context, EncodingId, LABELS};
use keiko_inference::{Backend, BackendError, RequestBatch, ResponseBatch};
use keiko_mcts::Wdl;
use keiko_shogi::{DrawValues, Game, Position, Rules};

use super::findings::Findings;
use crate::cli::bench::POSITIONS;

/// Rows of the largest batch.
pub(super) const LARGEST_BATCH: usize = 16;
/// The other batches that the same positions are computed in.
const BATCHES: [usize; 2] = [1, 2];
/// By how much a result may depend on the batch: a logit relative to max(1, |x|), a probability as it is.
const TOLERANCE: f32 = 1e-4;
/// From which distance to an even score the start position is worth a note.
const UNEVEN: f32 = 0.1;
/// How long the speed is measured.
const MEASURED: Duration = Duration::from_secs(1);

/// What an encoding needs beside a game.
const CONTEXT: Context =
    Context { draw_values: DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 } };

/// Whether the model computes anything that could be used.
pub(super) fn examine(
    backend: &mut dyn Backend,
    findings: &mut Findings<'_>,
) -> anyhow::Result<bool> {
    let rows = rows(backend.encoding())?;
    let whole = match evaluate(backend, &rows, LARGEST_BATCH) {
        Ok(answers) => answers,
        Err(error) => {
            findings.fault("outputs", &advised(error))?;
            return Ok(false);
        }
    };
    if whole.policies().all(is_distribution) {
        let text = "output_policy holds probabilities: engines want logits, so export it without the softmax";
        findings.fault("outputs", text)?;
        return Ok(false);
    }
    findings.ok("outputs", "finite logits, and a value that is a win rate")?;
    let mut worst = 0.0_f32;
    for batch in BATCHES {
        match evaluate(backend, &rows, batch) {
            Ok(answers) => worst = worst.max(whole.distance(&answers)),
            Err(error) => {
                let text = format!("not in batches of {batch}: {}", advised(error));
                findings.fault("batches", &text)?;
                return Ok(false);
            }
        }
    }
    if worst <= TOLERANCE {
        let text = format!(
            "{} positions alike in batches of 1, 2 and {LARGEST_BATCH}, largest difference {worst:.1e}",
            rows.len()
        );
        findings.ok("batches", &text)?;
    } else {
        let text = format!(
            "a position's outputs depend on the size of its batch, by up to {worst:.1e}: export the model for \
             inference (evaluation mode), not for training"
        );
        findings.fault("batches", &text)?;
    }
    start(backend, findings)?;
    Ok(true)
}

/// Positions computed in a second, in batches of [`LARGEST_BATCH`].
pub(super) fn positions_a_second(backend: &mut dyn Backend) -> anyhow::Result<f64> {
    let rows = rows(backend.encoding())?;
    let (started, mut positions) = (Instant::now(), 0);
    while started.elapsed() < MEASURED {
        evaluate(backend, &rows, LARGEST_BATCH)?;
        positions += rows.len();
    }
    Ok(positions as f64 / started.elapsed().as_secs_f64())
}

/// The row of a position by standard rules.
pub(super) fn row(encoding: EncodingId, sfen: &str) -> anyhow::Result<Vec<u8>> {
    let (position, number) = Position::from_sfen(sfen)?;
    let game = Game::new(position, number, Rules::STANDARD);
    let mut row = vec![0; encoding.row_bytes()];
    keiko_encoding::encode(encoding, &game, &CONTEXT, &mut row);
    Ok(row)
}

fn rows(encoding: EncodingId) -> anyhow::Result<Vec<Vec<u8>>> {
    let sfens = POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = sfens.take(LARGEST_BATCH).map(|sfen| row(encoding, sfen));
    rows.collect::<anyhow::Result<_>>().context("the positions of keiko bench")
}

/// The outputs for rows in their order.
struct Answers(Vec<ResponseBatch>);

impl Answers {
    fn policies(&self) -> impl Iterator<Item = &[f32]> {
        self.0.iter().flat_map(|batch| (0..batch.request().len()).map(|row| batch.logits_of(row)))
    }

    fn wdl(&self) -> impl Iterator<Item = [f32; 3]> {
        let triple = |wdl: &Wdl| [wdl.win, wdl.draw, wdl.loss];
        self.0.iter().flat_map(move |batch| batch.wdl().iter().map(triple))
    }

    /// The largest difference, as [`TOLERANCE`] counts it.
    fn distance(&self, other: &Self) -> f32 {
        let logits = self.policies().flatten().zip(other.policies().flatten());
        let logits = logits.map(|(a, b)| (a - b).abs() / a.abs().max(1.0));
        let shares = self.wdl().flatten().zip(other.wdl().flatten());
        logits.chain(shares.map(|(a, b)| (a - b).abs())).fold(0.0, f32::max)
    }
}

fn evaluate(
    backend: &mut dyn Backend,
    rows: &[Vec<u8>],
    batch: usize,
) -> Result<Answers, BackendError> {
    let labels: Vec<u16> = (0..LABELS as u16).collect();
    let answers = rows.chunks(batch).map(|rows| {
        let mut request = RequestBatch::new(backend.encoding(), batch);
        rows.iter().for_each(|row| request.push_row(row, &labels));
        backend.evaluate(request)
    });
    answers.collect::<Result<_, _>>().map(Answers)
}

fn is_distribution(logits: &[f32]) -> bool {
    logits.iter().all(|&logit| logit >= 0.0) && (logits.iter().sum::<f32>() - 1.0).abs() < 1e-3
}

/// The start position should be about even; both sides see the same planes in it.
fn start(backend: &mut dyn Backend, findings: &mut Findings<'_>) -> anyhow::Result<()> {
    let sfen = Position::startpos().to_sfen(1);
    let rows =
        [row(backend.encoding(), &sfen)?, row(backend.encoding(), &sfen.replace(" b ", " w "))?];
    let answers = evaluate(backend, &rows, 2)?;
    let scores: Vec<f32> = answers.wdl().map(|[win, draw, _]| win + draw / 2.0).collect();
    let text = format!("it scores {:.3} for Black to move, {:.3} for White", scores[0], scores[1]);
    if scores.iter().all(|score| (score - 0.5).abs() < UNEVEN) {
        findings.ok("start position", &text)?;
    } else {
        findings.note("start position", &format!("{text}: a trained net finds it about even"))?;
    }
    Ok(())
}

/// An error and what to do about it.
fn advised(error: BackendError) -> String {
    let advice = match &error {
        BackendError::LogitNotFinite { .. } => {
            "the weights are damaged or the training diverged, so export another model"
        }
        BackendError::NotProbabilities { .. } => {
            "output_value must be a win rate from 0 to 1, so export it with the sigmoid"
        }
        _ => "export it again by dlshogi's form",
    };
    format!("{}: {advice}", crate::cli::message(&error.into()))
}
