//! A match between two players, played by any number of threads and decided in one order.
//!
//! Pair `i` is played twice from opening `i` with colours swapped. Searches are without noise, a row's evaluation does
//! not depend on its neighbours, what a [`Reference`](crate::reference::Reference) draws by lot depends on the seed and
//! the game's number, and so a game is a function of its opening, its seats and the settings. Threads may
//! play ahead as they like: the pairs are counted in order, and what lies behind the pair that decides is dropped.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{self, RecvTimeoutError, Sender};
use keiko_inference::Backend;
use keiko_play::{Activity, Group, GroupSettings, PlayError, Player, Resignation};
use keiko_shogi::{DrawValues, Game};
use thiserror::Error;

use crate::statistics::{Decision, Sprt, SprtSettings, SprtSettingsError};
use director::ContestDirector;
use ledger::Ledger;

pub use contender::Contender;
pub use ledger::Standing;
pub use played_game::PlayedGame;

mod contender;
mod director;
mod ledger;
mod played_game;

/// Everything that determines the games of a contest, but for the evaluators.
#[derive(Debug, Clone)]
pub struct ContestSettings {
    /// Who plays; the first player is the one that is tested.
    pub players: [Contender; 2],
    /// Seed of what reference players draw by lot.
    pub seed: u64,
    /// Simulations of a search.
    pub simulations: u32,
    /// Games each thread has in play, and the batches they make.
    pub group: GroupSettings,
    /// When a side gives up.
    pub resignation: Resignation,
    /// What draws are worth to the searches.
    pub draw_values: DrawValues,
    /// The test that ends the contest.
    pub sprt: SprtSettings,
    /// Threads; of no influence on the result.
    pub workers: usize,
}

/// How a contest ended.
#[derive(Debug, Clone, PartialEq)]
pub struct ContestResult {
    /// The counts up to the pair that decided.
    pub standing: Standing,
    /// How the test ended.
    pub decision: Decision,
    /// The games up to the pair that decided, in order, those of repeated pairs included.
    pub games: Vec<PlayedGame>,
}

/// Why a contest has no result.
#[derive(Debug, Error)]
pub enum ContestError<E: std::error::Error + 'static> {
    /// The test's settings are out of range.
    #[error(transparent)]
    Settings(#[from] SprtSettingsError),
    /// There are fewer openings than pairs that may have to be played.
    #[error("{openings} openings for {cap_pairs} pairs")]
    Openings {
        /// Openings given.
        openings: usize,
        /// Pairs at most.
        cap_pairs: u32,
    },
    /// A thread has no evaluators.
    #[error("cannot open an evaluator: {0}")]
    Open(#[source] E),
    /// Playing failed.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The caller broke it off.
    #[error("the match was interrupted")]
    Interrupted,
    /// A thread ended without a result.
    #[error("a thread of the match ended early")]
    WorkerLost,
}

/// What a thread reports.
enum Message<E> {
    Game(Box<PlayedGame>),
    OpenFailed(E),
    PlayFailed(PlayError),
}

/// The games that are still to be handed out.
struct Schedule<'a> {
    openings: &'a [Game],
    next_game: AtomicU32,
    closed: AtomicBool,
}

impl Schedule<'_> {
    /// The next game: its pair, and 0 or 1 for its place in it.
    fn take(&self) -> Option<(u32, u8)> {
        if self.is_closed() {
            return None;
        }
        let game = self.next_game.fetch_add(1, Ordering::Relaxed);
        let (pair, leg) = (game / 2, game % 2);
        ((pair as usize) < self.openings.len()).then_some((pair, u8::from(leg == 1)))
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// How often `watch` is called at least.
const WATCH_INTERVAL: Duration = Duration::from_millis(200);

/// Plays the contest. `open` makes the evaluators of a thread (its number is the argument): the first player's and the
/// second's; a reference player asks its evaluator and takes no notice of the answer. `watch` is called after every game that counts, and a few times a second besides; it may break the contest
/// off.
///
/// # Errors
/// The settings do not fit, an evaluator fails, or `watch` broke it off.
pub fn run<B, E, F>(
    settings: &ContestSettings,
    openings: &[Game],
    open: F,
    mut watch: impl FnMut(&Standing) -> ControlFlow<()>,
) -> Result<ContestResult, ContestError<E>>
where
    B: Backend,
    E: std::error::Error + Send + 'static,
    F: Fn(usize) -> Result<[B; 2], E> + Sync,
{
    let mut ledger = Ledger::new(Sprt::new(settings.sprt)?);
    let cap_pairs = settings.sprt.cap_pairs;
    let Some(openings) = openings.get(..cap_pairs as usize) else {
        return Err(ContestError::Openings { openings: openings.len(), cap_pairs });
    };
    let schedule =
        Schedule { openings, next_game: AtomicU32::new(0), closed: AtomicBool::new(false) };
    let (sender, games) = channel::unbounded();
    thread::scope(|scope| {
        for worker in 0..settings.workers.max(1) {
            let (sender, schedule, open) = (sender.clone(), &schedule, &open);
            scope.spawn(move || {
                if let Some(failure) = work(settings, schedule, || open(worker), &sender) {
                    // The receiver is gone only when the contest is over.
                    let _ = sender.send(failure);
                }
            });
        }
        drop(sender);
        let result = loop {
            match games.recv_timeout(WATCH_INTERVAL) {
                Ok(Message::Game(game)) => {
                    if let Some(decision) = ledger.add(*game) {
                        break Ok(decision);
                    }
                }
                Ok(Message::OpenFailed(error)) => break Err(ContestError::Open(error)),
                Ok(Message::PlayFailed(error)) => break Err(ContestError::Play(error)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Err(ContestError::WorkerLost),
            }
            if watch(&ledger.standing()).is_break() {
                break Err(ContestError::Interrupted);
            }
        };
        schedule.close();
        result
    })
    .map(|decision| ContestResult {
        standing: ledger.standing(),
        decision,
        games: ledger.into_games(),
    })
}

/// One thread: plays games until there are none or the contest is decided. Returns what went wrong.
fn work<B: Backend, E>(
    settings: &ContestSettings,
    schedule: &Schedule<'_>,
    open: impl FnOnce() -> Result<[B; 2], E>,
    results: &Sender<Message<E>>,
) -> Option<Message<E>> {
    let mut backends = match open() {
        Ok(backends) => backends,
        Err(error) => return Some(Message::OpenFailed(error)),
    };
    let players = (0..)
        .zip(&settings.players)
        .map(|(backend, it)| Player { backend, search: it.search() })
        .collect();
    let director = ContestDirector::new(settings, schedule, results);
    let mut group = Group::new(director, players, settings.group);
    while !schedule.is_closed() {
        match group.step(&mut backends) {
            Ok(Activity::Finished) => break,
            Ok(_) => {}
            Err(error) => return Some(Message::PlayFailed(error)),
        }
    }
    None
}
