//! An event of many engines: who meets whom, every game kept as soon as it is over, one rating for all.
//!
//! What is played is a function of the [settings](GauntletSettings) but for what programs and clocks make of it. Nets and
//! reference players that think by nodes play in lockstep, many games to a batch; all other games are refereed, some at
//! once. A game is written down durably when it ends ([`Journal`]), so that an event that was broken off goes on where
//! it was. An engine that fails loses that game by a [named fault](crate::referee::Fault) and is started again for the
//! next.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{self, RecvTimeoutError, Sender};
use keiko_formats::GameLine;
use keiko_inference::{Backend, BackendError};
use keiko_play::PlayError;
use thiserror::Error;

use encounter::Task;
use pool::Pool;

pub use encounter::{Encounter, GameResult};
pub use event::{Entrant, EntrantPlayer, Event, EventError, EventRules};
pub use identity::Identity;
pub use journal::{Journal, JournalError};
pub use pgn::pgn;
pub use settings::{
    EngineKind, EngineSettings, GauntletSettings, GauntletSettingsError, GauntletSprt,
    NamedReplayTime, OptionValue, ReplayDraws, ReplayTime, ScheduleKind, ScheduleSettings,
};
pub use standings::Standings;
pub use table::{PairingRow, Row, Table};

mod encounter;
mod event;
mod identity;
mod journal;
mod lockstep;
mod pgn;
mod pool;
mod refereed;
mod settings;
mod shared;
mod standings;
mod table;

/// Makes the evaluator of an engine that is a net; the argument is the engine's number.
pub type Opener<'a> = dyn Fn(usize) -> Result<Box<dyn Backend>, BackendError> + Sync + 'a;

/// How an event ended for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All games are played, or the sequential test has decided.
    Complete,
    /// It was told to stop; the same call goes on with it.
    Stopped,
}

/// Why an event cannot go on. The games that were finished are kept.
#[derive(Debug, Error)]
pub enum GauntletError {
    /// A game cannot be written down.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A net cannot be loaded.
    #[error("engine {name:?}: {source}")]
    Open {
        /// The engine.
        name: String,
        /// Why not.
        source: Box<BackendError>,
    },
    /// A net in this process failed.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A net in this process failed in a game with a program.
    #[error("engine {name:?}: {text}")]
    Model {
        /// The engine.
        name: String,
        /// How.
        text: String,
    },
    /// A program does not start, or does not get ready.
    #[error("engine {name:?}: {text}")]
    Start {
        /// The engine.
        name: String,
        /// Why not.
        text: String,
    },
    /// A thread ended without a result.
    #[error("a thread of the event ended early")]
    WorkerLost,
}

/// What a thread reports.
enum Message {
    Game(Box<(GameResult, GameLine)>),
    Failed(GauntletError),
}

/// How often `watch` is called at least, and `stop` looked at.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// Plays what is missing of the event. `watch` is called after every game. Once `stop` is raised the games in play are
/// dropped, every engine is ended, and the event can be resumed.
///
/// # Errors
/// A game cannot be kept, a net fails, or a program does not start at all.
pub fn run(
    event: &Event,
    journal: &mut Journal,
    open: &Opener<'_>,
    stop: &AtomicBool,
    mut watch: impl FnMut(&Standings<'_>),
) -> Result<Ended, GauntletError> {
    let mut standings = Standings::of(event, journal.results());
    watch(&standings);
    let tasks = standings.missing();
    let (in_process, refereed): (Vec<Task>, Vec<Task>) = tasks.into_iter().partition(|task| {
        task.encounter.engines.iter().all(|&engine| event.entrants[engine].is_in_process())
    });
    let interrupt = Arc::new(AtomicBool::new(false));
    let concurrency = event.settings.schedule.concurrency;
    let mut desk = Desk { journal, standings: &mut standings, stop, interrupt: &interrupt };
    if !in_process.is_empty() && desk.goes_on() {
        let interrupt = &interrupt;
        desk.phase(&mut watch, |sender| {
            vec![Box::new(move || lockstep::play(event, in_process, open, interrupt, &sender))]
        })?;
    }
    if !refereed.is_empty() && desk.goes_on() {
        let pool = Pool::new(event, open, &interrupt);
        desk.phase(&mut watch, |_| vec![Box::new(|| pool.prepare(&refereed))])?;
        let queue = refereed::Queue::new(refereed);
        let threads = if desk.goes_on() { concurrency } else { 0 };
        desk.phase(&mut watch, |sender| {
            (0..threads)
                .map(|_| {
                    let (pool, queue, sender) = (&pool, &queue, sender.clone());
                    Box::new(move || refereed::play(event, queue, pool, &sender)) as Worker<'_>
                })
                .collect()
        })?;
    }
    Ok(if standings.is_over() { Ended::Complete } else { Ended::Stopped })
}

/// The work of one thread.
type Worker<'a> = Box<dyn FnOnce() -> Option<GauntletError> + Send + 'a>;

/// Where finished games come in.
struct Desk<'a, 'e> {
    journal: &'a mut Journal,
    standings: &'a mut Standings<'e>,
    stop: &'a AtomicBool,
    interrupt: &'a AtomicBool,
}

impl Desk<'_, '_> {
    /// Whether there is a reason to play: nobody has stopped the event, and it is not decided.
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && !self.standings.is_over()
    }

    /// Runs workers until they are done, and takes in their games.
    fn phase<'w>(
        &mut self,
        watch: &mut dyn FnMut(&Standings<'_>),
        workers: impl FnOnce(Sender<Message>) -> Vec<Worker<'w>>,
    ) -> Result<(), GauntletError> {
        // Whoever plays waits until the last game is written down: what a kill can lose does not pile up.
        let (sender, messages) = channel::bounded(1);
        thread::scope(|scope| {
            for worker in workers(sender.clone()) {
                let sender = sender.clone();
                scope.spawn(move || {
                    if let Some(failure) = worker() {
                        // The receiver is gone only when the event has failed already.
                        let _ = sender.send(Message::Failed(failure));
                    }
                });
            }
            drop(sender);
            let result = loop {
                if !self.goes_on() {
                    self.interrupt.store(true, Ordering::Relaxed);
                }
                match messages.recv_timeout(WATCH_INTERVAL) {
                    Ok(Message::Game(game)) => {
                        let (result, line) = *game;
                        if let Err(error) = self.journal.append(&result, &line) {
                            break Err(error.into());
                        }
                        self.standings.add(&result);
                        watch(self.standings);
                    }
                    Ok(Message::Failed(error)) => break Err(error),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                }
            };
            if result.is_err() {
                self.interrupt.store(true, Ordering::Relaxed);
            }
            // Nobody waits any longer to hand in a game.
            drop(messages);
            result
        })
    }
}
