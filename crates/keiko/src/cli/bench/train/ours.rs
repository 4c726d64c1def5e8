//! Our side of the work.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use keiko_bench::process_time;
use keiko_encoding::{Context, EncodingId, encode, label};
use keiko_inference::{Backend, RequestBatch, Wdl};
use keiko_model::{Architecture, Weights, fold};
use keiko_network::{Device, Learner, LearnerOptions, Precision, TorchBackend, TorchOptions};
use keiko_replay::Batch;
use keiko_shogi::{DrawValues, Game, MoveList, Position, Rules};

use crate::cli::bench::net::demo;

/// The positions that are trained on and evaluated.
const POSITIONS: &str = keiko_bench::POSITIONS;

const CONTEXT: Context = Context { draw_values: DrawValues::HALF };

/// What is done.
#[derive(Debug, Clone)]
pub(in crate::cli::bench) struct Work {
    pub(in crate::cli::bench) architecture: Architecture,
    pub(in crate::cli::bench) device: Device,
    pub(in crate::cli::bench) precision: Precision,
    /// Rows of a batch.
    pub(in crate::cli::bench) rows: usize,
    /// Threads of LibTorch; with one, rates are of its CPU time.
    pub(in crate::cli::bench) threads: usize,
}

/// Steps of training.
pub(in crate::cli::bench) struct Training {
    learner: Learner,
    batch: Batch,
    threads: usize,
    learning_rate: f64,
}

impl Training {
    /// The demonstration's training of a net, on another device where that is wanted.
    pub(in crate::cli::bench) fn new(work: &Work) -> anyhow::Result<Self> {
        let Work { architecture, device, precision, rows, threads } = work;
        let section = demo()?.trainer;
        let (device, precision, threads) = (*device, *precision, *threads);
        let options = LearnerOptions { device, precision, threads, ..section.learner(1) };
        let weights = Weights::initial(architecture, 1);
        let batch = batch(architecture.encoding, *rows)?;
        let learner = Learner::new(architecture, &weights, options)?;
        Ok(Self { learner, batch, threads, learning_rate: section.learning_rate })
    }

    /// One step; the loss before it.
    pub(in crate::cli::bench) fn step(&mut self) -> anyhow::Result<f64> {
        Ok(self.learner.step(&self.batch, self.learning_rate)?.losses.total)
    }

    /// Rows a second.
    pub(in crate::cli::bench) fn rate(&mut self, span: Duration) -> anyhow::Result<f64> {
        let Self { learner, batch, threads, learning_rate } = self;
        rate(span, *threads, || {
            learner.step(batch, *learning_rate)?;
            Ok(batch.len())
        })
    }
}

/// Evaluation of full batches on one thread.
pub(in crate::cli::bench) struct Evaluation {
    backend: Box<dyn Backend>,
    batch: Option<RequestBatch>,
    rows: usize,
    threads: usize,
}

impl Evaluation {
    pub(in crate::cli::bench) fn new(work: &Work) -> anyhow::Result<Self> {
        let Work { architecture, device, precision, rows, threads } = work;
        let (device, precision, threads) = (*device, *precision, *threads);
        let options = TorchOptions { device, precision, threads };
        let folded = fold(architecture, &Weights::initial(architecture, 1));
        let backend = Box::new(TorchBackend::new(architecture, &folded, options)?);
        let mut batch = RequestBatch::new(architecture.encoding, *rows);
        let mut moves = MoveList::new();
        for game in games().cycle().take(*rows) {
            let game = game?;
            moves.clear();
            game.legal_moves(&mut moves);
            batch.push(&game, &moves, &CONTEXT);
        }
        Ok(Self { backend, batch: Some(batch), rows: *rows, threads })
    }

    /// The logits and the expected results of all rows.
    pub(in crate::cli::bench) fn answer(&mut self) -> anyhow::Result<(Vec<f32>, Vec<Wdl>)> {
        let full = self.batch.take().context("the batch comes back")?;
        let response = self.backend.evaluate(full)?;
        let answer = (response.logits().to_vec(), response.wdl().to_vec());
        self.batch = Some(response.into_request());
        Ok(answer)
    }

    /// Rows a second.
    pub(in crate::cli::bench) fn rate(&mut self, span: Duration) -> anyhow::Result<f64> {
        let Self { backend, batch, rows, threads } = self;
        rate(span, *threads, || {
            let full = batch.take().context("the batch comes back")?;
            *batch = Some(backend.evaluate(full)?.into_request());
            Ok(*rows)
        })
    }
}

/// How many rows a second `work`, which returns those of a call, does in about `span`: of CPU time with one thread, by
/// the clock with more, or with none, which stands for a GPU.
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

fn games() -> impl Iterator<Item = anyhow::Result<Game>> + Clone {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|sfen| {
        let (position, number) = Position::from_sfen(sfen)?;
        Ok(Game::new(position, number, Rules::STANDARD))
    })
}

/// Positions of games, each with a policy that is even over the legal moves and a draw.
fn batch(encoding: EncodingId, rows: usize) -> anyhow::Result<Batch> {
    let mut batch = Batch::zeros(encoding, rows);
    let mut moves = MoveList::new();
    for (row, game) in games().cycle().take(rows).enumerate() {
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
