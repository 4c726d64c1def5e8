//! The loop: what a run waits for next, and doing it.
//!
//! A generation is games, training, gate, in this order, or all three at once: see [`roles`]. How far a run is follows from what is in its
//! store: shards, the ingest log, the log of candidates, verdicts. So every stage can be stopped or killed
//! and started again, alone or as part of the loop.

mod backend;
mod busy;
mod devices;
mod games;
mod gate;
mod history;
mod learn;
mod metrics;
mod roles;
mod selfplay;
mod summary;
mod warnings;
mod yardsticks;

pub(crate) use games::Games;
pub(crate) use history::{Chapter, History};
pub(crate) use roles::{parting, together};

use std::cell::{RefCell, RefMut};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use keiko_replay::IngestLog;
use keiko_trainer::{TIMING, TensorBoard};

use crate::config::FirstPlayer;
use crate::memory;
use crate::message::message;
use crate::progress::{self, Console};
use crate::report;
use crate::run::{Role, Run};
use crate::stopping;
use crate::study;

/// A stage that a run waits for; generations count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Games of the generation are missing.
    Selfplay {
        /// The generation.
        generation: u32,
    },
    /// Its games are there, its candidate is not.
    Learn {
        /// The generation.
        generation: u32,
    },
    /// Its candidate awaits its verdict.
    Gate {
        /// The generation.
        generation: u32,
    },
    /// All generations are done.
    Done,
}

/// Whether a stage was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It is complete.
    Complete,
    /// It was asked to stop before; what it did is kept.
    Stopped,
}

/// A run and the means to drive it.
#[derive(Debug)]
pub(crate) struct Pipeline<'a> {
    run: &'a Run,
    console: Console,
    stop: &'a AtomicBool,
    /// Opened when there is something to draw; one file a process.
    board: RefCell<Option<TensorBoard>>,
    /// Figures of the games that were looked at.
    games: RefCell<BTreeMap<u32, Games>>,
}

impl<'a> Pipeline<'a> {
    /// The pipeline of a run; `stop` asks every stage for a clean end.
    ///
    /// # Errors
    /// What the run holds cannot be read, or a device cannot be had.
    pub(crate) fn new(
        run: &'a Run,
        console: Console,
        stop: &'a AtomicBool,
    ) -> anyhow::Result<Self> {
        study::refuse(run, "go on with `keiko learn --resume`")?;
        run.config().open_devices()?;
        memory::check_room(run.config())?;
        let pipeline = Self::look(run, console, stop);
        pipeline.check_candidates()?;
        if !run.config().pipeline.is_async() {
            pipeline.mend_champions()?;
            pipeline.complete_metrics()?;
        }
        Ok(pipeline)
    }

    /// The pipeline of a run that is only looked at.
    pub(crate) fn look(run: &'a Run, console: Console, stop: &'a AtomicBool) -> Self {
        Self { run, console, stop, board: RefCell::new(None), games: RefCell::default() }
    }

    /// The run.
    pub(crate) fn run(&self) -> &'a Run {
        self.run
    }

    /// The run in one line.
    pub(crate) fn describe(&self) -> String {
        let config = self.run.config();
        let (games, player) = (config.first_generation.games, config.first_generation.player);
        let first = match (games, player) {
            _ if self.run.origin().is_some() => " (the first from another run)".to_owned(),
            (games, _) if games == config.games_per_generation => String::new(),
            (games, FirstPlayer::Uniform) => format!(" (the first of {games} without a net)"),
            (games, FirstPlayer::Network) => format!(" (the first of {games})"),
        };
        format!(
            "{} generations of {} games{first}, net {} ({} parameters) on {}, {} simulations a move, {} workers",
            config.generations,
            config.games_per_generation,
            config.network.short_name(),
            config.network.parameters(),
            config.inference.device,
            config.simulations(),
            config.selfplay.workers,
        )
    }

    /// Shows a stage at work, here and in the run's heartbeat.
    fn display(&self, title: &str, generation: u32, total: u64) -> progress::Stage {
        self.console.stage(title, total).beating(self.run.pulse(), generation)
    }

    /// The curves of this process.
    fn board(&self) -> anyhow::Result<RefMut<'_, TensorBoard>> {
        let mut board = self.board.borrow_mut();
        if board.is_none() {
            *board = Some(TensorBoard::create(&self.run.events_dir())?);
        }
        Ok(RefMut::map(board, |it| it.as_mut().expect("it was opened above")))
    }

    /// Notes how long a stage took. By the clock, so beside the metrics.
    fn time(
        &self,
        stage: &str,
        generation: u32,
        took: Duration,
        figures: &[(&str, f64)],
    ) -> anyhow::Result<()> {
        let seconds = took.as_secs_f64();
        let mut line = serde_json::json!({
            "event": "stage", "stage": stage, "generation": generation, "seconds": seconds,
        });
        for &(name, figure) in figures {
            line[name] = figure.into();
        }
        self.run.store().append(TIMING, &line.to_string())?;
        Ok(())
    }

    /// Writes the run's page, in the place of an older one.
    pub(crate) fn write_page(&self, history: &History) -> anyhow::Result<()> {
        self.run.store().put_status(report::PAGE, report::page(history).as_bytes())?;
        Ok(())
    }

    /// Writes the run's page as the run is now. A run goes on where that fails.
    pub(crate) fn renew_page(&self) {
        if let Err(error) = self.history().and_then(|history| self.write_page(&history)) {
            self.console.line(&format!("no {}: {}", report::PAGE, message(&error)));
        }
    }

    /// What the run waits for. In `async` mode, what its next candidate or verdict does.
    pub(crate) fn next(&self) -> anyhow::Result<Stage> {
        let generation = self.verdicts()?;
        if generation >= self.run.config().generations {
            return Ok(Stage::Done);
        }
        if self.candidates()?.len() > generation as usize {
            return Ok(Stage::Gate { generation });
        }
        if self.run.config().pipeline.is_async() {
            let pending = !IngestLog::new(self.run.store()).pending()?.is_empty();
            return Ok(if pending {
                Stage::Learn { generation }
            } else {
                Stage::Selfplay { generation }
            });
        }
        if self.missing_shards(generation)? > 0 {
            return Ok(Stage::Selfplay { generation });
        }
        Ok(Stage::Learn { generation })
    }

    /// Does one stage.
    pub(crate) fn run_stage(&self, stage: Stage) -> anyhow::Result<Ended> {
        stopping::will_wait_for(match stage {
            Stage::Selfplay { .. } => {
                "waiting for the positions in evaluation; games in play are dropped, to be played again"
            }
            Stage::Learn { .. } => {
                "waiting for the step in training (or for the games to be read), then for a checkpoint of it"
            }
            Stage::Gate { .. } => {
                "waiting for the yardsticks or the positions in evaluation; the gate's match is dropped, to be played again"
            }
            Stage::Done => "nothing is left to do",
        });
        let (role, ended) = match stage {
            Stage::Selfplay { generation } => (Role::Selfplay, self.play_games(generation)),
            Stage::Learn { generation } => (Role::Learner, self.learn(generation)),
            Stage::Gate { generation } => (Role::Gate, self.judge_candidate(generation)),
            Stage::Done => return Ok(Ended::Complete),
        };
        ended.map_err(|error| memory::explain(error, role, self.run.config()))
    }

    /// Goes round until all generations are done or a stop is asked for.
    pub(crate) fn run_all(&self) -> anyhow::Result<Ended> {
        loop {
            let stage = self.next()?;
            if stage == Stage::Done {
                return Ok(Ended::Complete);
            }
            self.renew_page();
            if self.stop.load(Ordering::Relaxed) || self.run_stage(stage)? == Ended::Stopped {
                return Ok(Ended::Stopped);
            }
        }
    }
}
