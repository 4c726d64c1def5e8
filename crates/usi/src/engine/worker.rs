use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender};
use keiko_inference::{Backend, BackendError, Context, RequestBatch};
use keiko_mcts::{Search, SearchSettings};
use keiko_play::{Pace, ThinkSettings, think};
use keiko_shogi::{DrawValues, Game, Move, MoveList, Rules};

use super::event::{Event, Loaded, LoadedNet, Report};
use super::guided::Guided;
use super::job::{Job, LoadJob, SearchJob};
use super::loader::{LoadedModel, with_sources};
use super::mate_thread::MateThread;
use super::report::{Findings, Finished};
use super::watch::Watch;
use super::{LoadError, ModelLoader, ModelRequest};
use crate::book::Book;
use crate::onnx_loader::beside_program;

/// The search thread: does jobs in order until there are no more.
pub(super) fn run(
    mut loader: impl ModelLoader,
    mates: MateThread,
    jobs: &Receiver<Job>,
    events: &Sender<Event>,
) {
    let mut worker = Worker::new(mates);
    for job in jobs {
        // A panic must not leave the GUI without an answer; what it may have broken is thrown away.
        let report = match job {
            Job::Load(job) => Report::Loaded(worker.load(&mut loader, job)),
            Job::Search(job) => {
                let search = job.id;
                let result = panic::catch_unwind(AssertUnwindSafe(|| worker.search(*job, events)));
                match result.unwrap_or_else(|_| Err("the search panicked".to_owned())) {
                    Ok(finished) => Report::Finished { search, finished },
                    Err(error) => {
                        worker = Worker::new(worker.mates);
                        Report::Failed { search, error }
                    }
                }
            }
        };
        if events.send(Event::Report(report)).is_err() {
            return;
        }
    }
}

struct Worker {
    backend: Option<Box<dyn Backend>>,
    tree: Option<Tree>,
    mates: MateThread,
    /// How long the last batch took.
    latency: Duration,
    /// How fast searches are.
    pace: Pace,
}

/// The tree of the last search and what it was made with.
struct Tree {
    search: Search,
    settings: SearchSettings,
    draw_values: DrawValues,
    temperature: f32,
}

impl Worker {
    fn new(mates: MateThread) -> Worker {
        Worker { backend: None, tree: None, mates, latency: Duration::ZERO, pace: Pace::default() }
    }

    fn load(&mut self, loader: &mut impl ModelLoader, job: LoadJob) -> Loaded {
        let model = job.model.map(|request| {
            let load = AssertUnwindSafe(|| self.load_model(loader, &request));
            panic::catch_unwind(load)
                .unwrap_or_else(|_| Err(failed(&request, "the loader panicked".into())))
        });
        let book = job.book.map(|path| Book::open(&beside_program(&path)));
        Loaded { model, book }
    }

    fn load_model(
        &mut self,
        loader: &mut impl ModelLoader,
        request: &ModelRequest,
    ) -> Result<LoadedNet, LoadError> {
        self.backend = None;
        self.tree = None;
        self.pace = Pace::default();
        let LoadedModel { mut backend, settings } = loader.load(request)?;
        warm_up(&mut *backend, request.max_rows)
            .map_err(|reason| failed(request, reason.into()))?;
        let name = backend.name();
        self.backend = Some(backend);
        Ok(LoadedNet { name, settings })
    }

    fn search(&mut self, job: SearchJob, events: &Sender<Event>) -> Result<Finished, String> {
        let started = Instant::now();
        let Worker { backend, tree, mates, latency, pace } = self;
        // It is gone when an earlier search has failed after this one was asked for.
        let backend = backend.as_mut().ok_or("there is no model")?;
        let mate = job.mate.map(|settings| mates.search(job.game.clone(), settings, &job.control));
        let search = &mut prepare(tree, &job).search;
        let mut watch = Watch::new(&job, latency, *pace, events, mate);
        let settings = ThinkSettings {
            limit: job.limit,
            plan: watch.plan(0, started),
            leaves: job.batch_size,
            context: Context { draw_values: job.draw_values },
        };
        let side = job.game.position().side_to_move();
        let labels = || job.searchmoves.iter().map(|&mv| keiko_encoding::label(mv, side)).collect();
        let mut backend = Guided {
            inner: &mut **backend,
            temperature: job.temperature,
            root: (!job.searchmoves.is_empty()).then(labels),
        };
        let summary = think(search, &mut backend, &settings, |thinking| watch.look(thinking))
            .map_err(|error| with_sources(&error))?;
        pace.note(summary.simulations, started.elapsed());
        let findings = Findings {
            game: &job.game,
            draw_values: job.draw_values,
            summary: &summary,
            variation: &|mv| search.variation(mv),
            elapsed: started.elapsed(),
            searchmoves: &job.searchmoves,
            mate: &watch.last_mate(),
        };
        let finished = findings.finish(&job.report);
        if !job.searchmoves.is_empty() {
            // It knows only some of the moves.
            *tree = None;
        }
        Ok(finished)
    }
}

/// The failure of the first model asked for.
fn failed(request: &ModelRequest, reason: Box<dyn std::error::Error + Send + Sync>) -> LoadError {
    let path = request.devices.first().map_or_else(PathBuf::new, |device| device.path.clone());
    LoadError { path, reason }
}

/// The tree for a job: the last one, taken to the new position, if it leads there; otherwise a fresh one.
fn prepare<'a>(slot: &'a mut Option<Tree>, job: &SearchJob) -> &'a mut Tree {
    let fits = |tree: &Tree| {
        !job.forget
            && job.searchmoves.is_empty()
            && tree.settings == job.settings
            && tree.draw_values == job.draw_values
            && tree.temperature.to_bits() == job.temperature.to_bits()
    };
    let kept = slot.take().filter(fits).and_then(|mut tree| {
        let moves = moves_since(tree.search.game(), &job.game)?;
        for mv in moves {
            tree.search.advance(mv);
        }
        Some(tree)
    });
    slot.insert(kept.unwrap_or_else(|| Tree {
        search: Search::new(job.game.clone(), &job.settings, job.draw_values, 0),
        settings: job.settings,
        draw_values: job.draw_values,
        temperature: job.temperature,
    }))
}

/// The moves that lead from `old` to `new`, if `new` continues the same game under the same rules.
fn moves_since(old: &Game, new: &Game) -> Option<Vec<Move>> {
    let same = old.rules() == new.rules() && old.start_sfen() == new.start_sfen();
    let rest = new.moves().strip_prefix(old.moves()).filter(|_| same)?;
    Some(rest.to_vec())
}

/// Evaluates the start position in the smallest batch and the largest: the first call of a runtime is slow, and a broken
/// model shows here.
///
/// # Errors
/// The backend fails.
pub fn warm_up(backend: &mut dyn Backend, max_rows: usize) -> Result<(), BackendError> {
    let game = Game::startpos(Rules::STANDARD);
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    for rows in [1, max_rows] {
        let mut tickets = Vec::new();
        for _ in 0..backend.batches_at_once() {
            let mut batch = RequestBatch::new(backend.encoding(), rows);
            for _ in 0..rows {
                batch.push(&game, &moves, &Context { draw_values: DrawValues::HALF });
            }
            tickets.push(backend.submit(batch)?);
        }
        for ticket in tickets {
            backend.collect(ticket)?;
        }
    }
    Ok(())
}
