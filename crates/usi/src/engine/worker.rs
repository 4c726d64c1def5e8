use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender};
use keiko_inference::{Backend, BackendError, Context, RequestBatch};
use keiko_mcts::{MateAnswer, MateLimits, MateSolver, Search, SearchSettings};
use keiko_play::{ThinkSettings, Thinking, think};
use keiko_shogi::{DrawValues, Game, Move, MoveList, Rules};

use super::event::{Event, Report};
use super::job::{Job, MateJob, SearchJob};
use super::report::{Findings, Finished};
use super::tempered::Tempered;
use super::{LoadError, ModelLoader, ModelRequest};

/// The search thread: does jobs in order until there are no more.
pub(super) fn run(mut loader: impl ModelLoader, jobs: &Receiver<Job>, events: &Sender<Event>) {
    let mut worker = Worker::default();
    for job in jobs {
        // A panic must not leave the GUI without an answer; what it may have broken is thrown away.
        let report = match job {
            Job::Load(request) => {
                let load = AssertUnwindSafe(|| worker.load(&mut loader, &request));
                Report::Loaded(panic::catch_unwind(load).unwrap_or_else(|_| {
                    Err(LoadError { path: request.path, reason: "the loader panicked".into() })
                }))
            }
            Job::Mate(job) => {
                let search = job.id;
                let find = AssertUnwindSafe(|| worker.mate(*job));
                let answer = panic::catch_unwind(find).unwrap_or_else(|_| {
                    worker.mates = None;
                    MateAnswer::Unknown
                });
                Report::Mated { search, answer }
            }
            Job::Search(job) => {
                let search = job.id;
                let result = panic::catch_unwind(AssertUnwindSafe(|| worker.search(*job, events)));
                match result.unwrap_or_else(|_| Err("the search panicked".to_owned())) {
                    Ok(finished) => Report::Finished { search, finished },
                    Err(error) => {
                        worker = Worker::default();
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

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

/// Entries of the table of searches for mates, of 48 bytes each.
const MATE_ENTRIES: usize = 1 << 18;

#[derive(Default)]
struct Worker {
    backend: Option<Box<dyn Backend>>,
    tree: Option<Tree>,
    /// Made by the first search for a mate.
    mates: Option<MateSolver>,
    /// How long the last batch took.
    latency: Duration,
}

/// The tree of the last search and what it was made with.
struct Tree {
    search: Search,
    settings: SearchSettings,
    draw_values: DrawValues,
    temperature: f32,
}

impl Worker {
    fn load(
        &mut self,
        loader: &mut impl ModelLoader,
        request: &ModelRequest,
    ) -> Result<String, LoadError> {
        self.backend = None;
        self.tree = None;
        let mut backend = loader.load(request)?;
        let warm_up = warm_up(&mut *backend);
        warm_up
            .map_err(|reason| LoadError { path: request.path.clone(), reason: reason.into() })?;
        let name = backend.name();
        self.backend = Some(backend);
        Ok(name)
    }

    fn mate(&mut self, mut job: MateJob) -> MateAnswer {
        let solver = self.mates.get_or_insert_with(|| MateSolver::new(MATE_ENTRIES));
        let limits = MateLimits { nodes: job.nodes, plies: MateLimits::MAX_PLIES };
        solver.solve_while(&mut job.game, limits, || !job.control.is_over())
    }

    fn search(&mut self, job: SearchJob, events: &Sender<Event>) -> Result<Finished, String> {
        let started = Instant::now();
        let Worker { backend, tree, latency, .. } = self;
        // It is gone when an earlier search has failed after this one was asked for.
        let backend = backend.as_mut().ok_or("there is no model")?;
        let search = &mut prepare(tree, &job).search;
        let settings = ThinkSettings {
            limit: job.limit,
            leaves: job.batch_size,
            context: Context { draw_values: job.draw_values },
        };
        let mut backend = Tempered { inner: &mut **backend, temperature: job.temperature };
        let mut watch = Watch::new(&job, latency, events);
        let summary = think(search, &mut backend, &settings, |thinking| watch.look(thinking))
            .map_err(|error| with_sources(&error))?;
        let findings = Findings {
            game: &job.game,
            draw_values: job.draw_values,
            summary: &summary,
            variation: &|mv| search.variation(mv),
            elapsed: started.elapsed(),
            searchmoves: &job.searchmoves,
        };
        Ok(findings.finish(&job.report))
    }
}

/// The tree for a job: the last one, taken to the new position, if it leads there; otherwise a fresh one.
fn prepare<'a>(slot: &'a mut Option<Tree>, job: &SearchJob) -> &'a mut Tree {
    let fits = |tree: &Tree| {
        !job.forget
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

/// Evaluates the start position once: the first call of a runtime is slow, and a broken model shows here.
fn warm_up(backend: &mut dyn Backend) -> Result<(), BackendError> {
    let game = Game::startpos(Rules::STANDARD);
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let mut batch = RequestBatch::new(backend.encoding(), 1);
    batch.push(&game, &moves, &Context { draw_values: DrawValues::HALF });
    backend.evaluate(batch).map(|_| ())
}

/// Looks at a search after every batch: ends it and reports.
struct Watch<'a> {
    job: &'a SearchJob,
    latency: &'a mut Duration,
    events: &'a Sender<Event>,
    started: Instant,
    last_batch: Instant,
    last_report: Instant,
    last_note: Option<Instant>,
}

/// How often the answer so far is noted for the case that the search is overdue.
const NOTE_INTERVAL: Duration = Duration::from_millis(50);

impl<'a> Watch<'a> {
    fn new(job: &'a SearchJob, latency: &'a mut Duration, events: &'a Sender<Event>) -> Watch<'a> {
        let now = Instant::now();
        Watch {
            job,
            latency,
            events,
            started: now,
            last_batch: now,
            last_report: now,
            last_note: None,
        }
    }

    fn look(&mut self, thinking: &Thinking<'_>) -> ControlFlow<()> {
        let now = Instant::now();
        *self.latency = now - self.last_batch;
        self.last_batch = now;
        if self.last_note.is_none_or(|last| now - last >= NOTE_INTERVAL) {
            self.last_note = Some(now);
            let so_far = self.with_findings(thinking, now, |found| found.finish(&self.job.report));
            self.job.control.note(so_far);
        }
        if self.job.report.interval.is_some_and(|interval| now - self.last_report >= interval) {
            self.last_report = now;
            self.report(thinking, now);
        }
        if self.job.control.is_stopped() || self.is_late(thinking, now) || self.is_deep(thinking) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Whether the next batch would end after the deadline.
    fn is_late(&self, thinking: &Thinking<'_>, now: Instant) -> bool {
        let Some(deadline) = self.job.control.deadline() else { return false };
        let next = now + *self.latency;
        next >= deadline.maximum || (next >= deadline.optimum && is_clear(thinking))
    }

    fn is_deep(&self, thinking: &Thinking<'_>) -> bool {
        self.job.depth.is_some_and(|depth| {
            thinking.variation(thinking.summary().best).len() >= depth as usize
        })
    }

    fn report(&self, thinking: &Thinking<'_>, now: Instant) {
        let infos = self.with_findings(thinking, now, |found| found.infos(&self.job.report));
        // Nobody listens any more only when the process ends.
        let _ = self.events.send(Event::Report(Report::Progress { search: self.job.id, infos }));
    }

    fn with_findings<T>(
        &self,
        thinking: &Thinking<'_>,
        now: Instant,
        use_them: impl FnOnce(&Findings<'_>) -> T,
    ) -> T {
        use_them(&Findings {
            game: &self.job.game,
            draw_values: self.job.draw_values,
            summary: &thinking.summary(),
            variation: &|mv| thinking.variation(mv),
            elapsed: now - self.started,
            searchmoves: &self.job.searchmoves,
        })
    }
}

/// Whether more time would hardly change the choice: the best move has twice the visits of any other.
fn is_clear(thinking: &Thinking<'_>) -> bool {
    let summary = thinking.summary();
    let best = summary.moves.iter().find(|root| root.mv == summary.best);
    let others = summary.moves.iter().filter(|root| root.mv != summary.best);
    let second = others.map(|root| root.visits).max().unwrap_or(0);
    best.is_some_and(|root| root.visits >= 2 * second)
}
