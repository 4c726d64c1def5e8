use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam::channel::{self, Receiver, SendError, Sender};
use keiko_mcts::{MateAnswer, MateLimits, MateSolver};
use keiko_shogi::{Game, Move};

use super::control::Control;

/// Bytes of an entry of the solver's table.
const ENTRY_BYTES: usize = 48;

/// How to look for a mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MateSettings {
    pub(super) limits: MateLimits,
    /// Memory of the table, MiB.
    pub(super) hash_mib: u32,
}

/// The thread that looks for mates, beside the one that searches.
#[derive(Clone)]
pub(super) struct MateThread {
    tasks: Sender<Task>,
}

struct Task {
    game: Game,
    settings: MateSettings,
    control: Arc<Control>,
    over: Arc<AtomicBool>,
    answer: Box<dyn FnOnce(MateAnswer) + Send>,
}

/// A search for a mate under way. It ends when this is dropped.
pub(super) struct MateSearch {
    over: Arc<AtomicBool>,
    answer: Receiver<MateAnswer>,
    line: Vec<Move>,
}

impl MateThread {
    /// Without a thread every search answers that it does not know.
    pub(super) fn start() -> MateThread {
        let (tasks, queue) = channel::unbounded();
        let _ = thread::Builder::new().name("mate".to_owned()).spawn(move || serve(&queue));
        MateThread { tasks }
    }

    /// Begins to look for a mate by the side to move in `game`, until `control` is over.
    pub(super) fn search(
        &self,
        game: Game,
        settings: MateSettings,
        control: &Arc<Control>,
    ) -> MateSearch {
        let (sender, answer) = channel::bounded(1);
        let over = self.solve(game, settings, control, move |answer| {
            // Whoever has lost interest does not listen.
            let _ = sender.send(answer);
        });
        MateSearch { over, answer, line: Vec::new() }
    }

    /// Looks for a mate by the side to move in `game`, until `control` is over or what is returned is set, and then gives
    /// the answer.
    pub(super) fn solve(
        &self,
        game: Game,
        settings: MateSettings,
        control: &Arc<Control>,
        answer: impl FnOnce(MateAnswer) + Send + 'static,
    ) -> Arc<AtomicBool> {
        let over = Arc::new(AtomicBool::new(false));
        let task = Task {
            game,
            settings,
            control: Arc::clone(control),
            over: Arc::clone(&over),
            answer: Box::new(answer),
        };
        if let Err(SendError(task)) = self.tasks.send(task) {
            (task.answer)(MateAnswer::Unknown);
        }
        over
    }
}

impl MateSearch {
    /// The mate found so far; empty if there is none yet.
    pub(super) fn line(&mut self) -> &[Move] {
        if let Ok(MateAnswer::Mate { line }) = self.answer.try_recv() {
            self.line = line;
        }
        &self.line
    }

    /// Waits for the end of the search.
    pub(super) fn wait(&mut self) {
        if self.line.is_empty()
            && let Ok(MateAnswer::Mate { line }) = self.answer.recv()
        {
            self.line = line;
        }
    }
}

impl Drop for MateSearch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

fn serve(queue: &Receiver<Task>) {
    let mut solver: Option<(u32, MateSolver)> = None;
    for mut task in queue {
        let MateSettings { limits, hash_mib } = task.settings;
        let solve = AssertUnwindSafe(|| {
            let kept = solver.take().filter(|(mib, _)| *mib == hash_mib);
            let (_, solver) = solver
                .insert(kept.unwrap_or_else(|| (hash_mib, MateSolver::new(entries(hash_mib)))));
            let goes_on = || !task.over.load(Ordering::Relaxed) && !task.control.is_over();
            solver.solve_while(&mut task.game, limits, goes_on)
        });
        // What a panic may have broken is thrown away.
        let answer = panic::catch_unwind(solve).unwrap_or(MateAnswer::Unknown);
        (task.answer)(answer);
    }
}

/// As many entries as fit, in a power of two.
fn entries(hash_mib: u32) -> usize {
    let most = (hash_mib as usize * (1 << 20) / ENTRY_BYTES).max(1);
    1 << most.ilog2()
}

#[cfg(test)]
mod tests {
    use keiko_shogi::{Position, Rules};

    use super::*;

    const SETTINGS: MateSettings =
        MateSettings { limits: MateLimits { nodes: 1 << 40, plies: 99 }, hash_mib: 1 };

    fn game(sfen: &str) -> Game {
        let (position, number) = Position::from_sfen(sfen).unwrap();
        Game::new(position, number, Rules::STANDARD)
    }

    #[test]
    fn the_table_fits_its_memory() {
        assert_eq!(entries(1), 16_384);
        assert!(entries(64) * ENTRY_BYTES <= 64 << 20 && entries(64) * ENTRY_BYTES > 32 << 20);
    }

    const HARD: &str =
        "3B2p1p/l5g2/6np1/p2RpS2k/1pp1gbsP1/P1n3g1l/LP3+p2L/K4p3/1NR3N2 b GS2Ps4p 137";

    #[test]
    fn a_search_ends_when_it_is_dropped_and_the_next_one_is_served() {
        let thread = MateThread::start();
        drop(thread.search(game(HARD), SETTINGS, &Arc::default()));
        let mut easy = thread.search(
            game("3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1"),
            SETTINGS,
            &Arc::default(),
        );
        easy.wait();
        assert_eq!(easy.line().len(), 3);
    }

    #[test]
    fn what_is_stopped_answers_that_it_does_not_know() {
        let thread = MateThread::start();
        let control = Arc::new(Control::default());
        control.stop();
        let (sender, answer) = channel::bounded(1);
        thread.solve(game(HARD), SETTINGS, &control, move |answer| sender.send(answer).unwrap());
        assert_eq!(answer.recv(), Ok(MateAnswer::Unknown));
    }
}
