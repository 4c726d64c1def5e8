//! Our side of the work.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use keiko_bench::process_time;
use keiko_encoding::{Context, EncodingId, encode, label};
use keiko_inference::{Backend, RequestBatch};
use keiko_model::Weights;
use keiko_network::{Learner, LearnerOptions};
use keiko_replay::Batch;
use keiko_shogi::{DrawValues, Game, MoveList, Position, Rules};

use super::Net;
use crate::cli::bench::net::demo;

/// The positions that are trained on and evaluated.
const POSITIONS: &str = keiko_bench::POSITIONS;

const CONTEXT: Context = Context { draw_values: DrawValues::HALF };

/// Steps of training.
pub(super) struct Training {
    learner: Learner,
    batch: Batch,
    threads: usize,
    learning_rate: f64,
}

impl Training {
    pub(super) fn new(net: &Net, threads: usize) -> anyhow::Result<Self> {
        let section = demo()?.trainer;
        let options = LearnerOptions { threads, ..section.learner() };
        let architecture = net.architecture()?;
        let weights = Weights::initial(&architecture, 1);
        let batch = batch(architecture.encoding, section.batch_rows)?;
        let learner = Learner::new(&architecture, &weights, options)?;
        let learning_rate = section.learning_rate;
        let mut training = Self { learner, batch, threads, learning_rate };
        training.rate(Duration::ZERO)?;
        Ok(training)
    }

    pub(super) fn rows(&self) -> usize {
        self.batch.len()
    }

    /// Rows a second.
    pub(super) fn rate(&mut self, span: Duration) -> anyhow::Result<f64> {
        let Self { learner, batch, threads, learning_rate } = self;
        rate(span, *threads, || {
            learner.step(batch, *learning_rate)?;
            Ok(batch.len())
        })
    }
}

/// Evaluation of full batches on one thread.
pub(super) struct Evaluation {
    backend: Box<dyn Backend>,
    batch: Option<RequestBatch>,
}

impl Evaluation {
    /// Rows of a batch.
    pub(super) const ROWS: usize = 64;

    pub(super) fn new(net: &Net) -> anyhow::Result<Self> {
        let backend = net.torch()?.open()?;
        let mut batch = RequestBatch::new(backend.encoding(), Self::ROWS);
        let mut moves = MoveList::new();
        for game in games().take(Self::ROWS) {
            let game = game?;
            moves.clear();
            game.legal_moves(&mut moves);
            batch.push(&game, &moves, &CONTEXT);
        }
        let mut evaluation = Self { backend, batch: Some(batch) };
        evaluation.rate(Duration::ZERO)?;
        Ok(evaluation)
    }

    /// Rows a second.
    pub(super) fn rate(&mut self, span: Duration) -> anyhow::Result<f64> {
        let Self { backend, batch } = self;
        rate(span, 1, || {
            let full = batch.take().context("the batch comes back")?;
            *batch = Some(backend.evaluate(full)?.into_request());
            Ok(Self::ROWS)
        })
    }
}

/// How many rows a second `work`, which returns those of a call, does in about `span`.
fn rate(
    span: Duration,
    threads: usize,
    mut work: impl FnMut() -> anyhow::Result<usize>,
) -> anyhow::Result<f64> {
    let (start, used, mut rows) = (Instant::now(), process_time(), 0);
    loop {
        rows += work()?;
        let elapsed = start.elapsed();
        if elapsed >= span {
            let seconds = match threads {
                1 => (process_time() - used) as f64 / 1e9,
                _ => elapsed.as_secs_f64(),
            };
            return Ok(rows as f64 / seconds);
        }
    }
}

fn games() -> impl Iterator<Item = anyhow::Result<Game>> {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|sfen| {
        let (position, number) = Position::from_sfen(sfen)?;
        Ok(Game::new(position, number, Rules::STANDARD))
    })
}

/// Positions of games, each with a policy that is even over the legal moves and a draw.
fn batch(encoding: EncodingId, rows: usize) -> anyhow::Result<Batch> {
    let mut batch = Batch::zeros(encoding, rows);
    let mut moves = MoveList::new();
    for (row, game) in games().take(rows).enumerate() {
        let game = game?;
        moves.clear();
        game.legal_moves(&mut moves);
        let planes = batch.rows.row_mut(row).into_slice().context("rows are in one piece")?;
        encode(encoding, &game, &CONTEXT, planes);
        for &mv in &moves {
            let place = [row, usize::from(label(mv, game.position().side_to_move()))];
            batch.policy[place] = 1.0 / moves.len() as f32;
            batch.legal[place] = 1;
        }
        batch.wdl[[row, 1]] = 1.0;
        batch.policy_weight[row] = 1.0;
        batch.value_weight[row] = 1.0;
    }
    Ok(batch)
}
