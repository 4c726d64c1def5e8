//! A USI engine in a process of its own, as a player.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam::channel::RecvTimeoutError;
use keiko_shogi::Game;
use keiko_usi::answer::{Answer, Choice, Info, OptionDeclaration, Score};
use keiko_usi::command::{Command, GameResult, Go, PositionText, SetOption};

use crate::referee::{Fault, Player, PlayerFailure};
use process::EngineProcess;

mod guard;
mod process;
mod reader;

/// How to start an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsiEngine {
    /// What it is called in results.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder it starts in; ours without one.
    pub directory: Option<PathBuf>,
    /// Options to set, name and value; the engine must have declared them, but for those of USI itself. `MaxMovesToDraw` and `Draw_Ply` are set by the rules of the game if the engine
    /// has them.
    pub options: Vec<(String, String)>,
    /// How long it may take to say `usiok`, in milliseconds.
    pub usi_patience_ms: u64,
    /// How long it may take to say `readyok`, in milliseconds.
    pub ready_patience_ms: u64,
}

/// An engine's process. It is started for the first game, and again for the next one after it failed.
#[derive(Debug)]
pub struct UsiPlayer {
    engine: UsiEngine,
    running: Option<Running>,
    last_info: Option<Info>,
    interrupt: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Running {
    process: EngineProcess,
    /// The options it declared.
    options: Vec<OptionDeclaration>,
    interrupt: Arc<AtomicBool>,
}

/// Options that say after how many plies a game is drawn.
const MAX_PLIES_OPTIONS: [&str; 2] = ["MaxMovesToDraw", "Draw_Ply"];

/// How long an engine that is late may take to answer `stop`, in milliseconds. One that does is slow, one that does not
/// hangs.
const GRACE_MS: u64 = 1000;

/// How often a wait looks whether it was interrupted.
const GLANCE: Duration = Duration::from_millis(50);

impl UsiPlayer {
    /// A player whose process is not started yet.
    pub fn new(engine: UsiEngine) -> UsiPlayer {
        UsiPlayer::interruptible(engine, Arc::default())
    }

    /// A player that gives up soon after `interrupt` is raised.
    pub fn interruptible(engine: UsiEngine, interrupt: Arc<AtomicBool>) -> UsiPlayer {
        UsiPlayer { engine, running: None, last_info: None, interrupt }
    }

    /// The last report with a score before the last move.
    pub fn last_info(&self) -> Option<&Info> {
        self.last_info.as_ref()
    }

    /// The process's number while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.process.id())
    }

    fn start(&self) -> Result<Running, PlayerFailure> {
        let process = EngineProcess::start(&self.engine)?;
        let interrupt = Arc::clone(&self.interrupt);
        let mut running = Running { process, options: Vec::new(), interrupt };
        running.process.send(&Command::Usi);
        let mut options = Vec::new();
        running.wait_ready("usiok", self.engine.usi_patience_ms, |answer| match answer {
            Answer::UsiOk => true,
            Answer::Option(option) => {
                options.push(option);
                false
            }
            _ => false,
        })?;
        running.options = options;
        for (name, value) in &self.engine.options {
            // An option that the engine does not know would change nothing, and nobody would notice.
            let wrong = match running.options.iter().find(|option| option.name == *name) {
                Some(option) => option
                    .kind
                    .check(value)
                    .err()
                    .map(|takes| format!("option {name:?} takes {takes}, not {value:?}")),
                None if name.starts_with("USI_") => None,
                None => Some(format!("the engine has no option {name:?}")),
            };
            if let Some(text) = wrong {
                return Err(PlayerFailure::new(Fault::NotReady, text));
            }
            running.process.send(&Command::SetOption(SetOption::new(name, value)));
        }
        Ok(running)
    }

    /// Runs `talk` with the process; a failure ends the process, unless it is one that only cost time.
    fn talk<T>(
        &mut self,
        talk: impl FnOnce(&mut Running, &UsiEngine) -> Result<T, PlayerFailure>,
    ) -> Result<T, PlayerFailure> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let result = talk(&mut running, &self.engine);
        if result.as_ref().err().is_none_or(|failure| failure.fault == Fault::TimeLoss) {
            self.running = Some(running);
        }
        result
    }
}

impl Player for UsiPlayer {
    fn name(&self) -> String {
        self.engine.name.clone()
    }

    fn new_game(&mut self, game: &Game) -> Result<(), PlayerFailure> {
        if self.running.as_ref().is_some_and(|running| running.process.has_ended()) {
            self.running = None;
        }
        let max_plies = game.rules().max_plies;
        self.talk(|running, engine| {
            for name in MAX_PLIES_OPTIONS {
                let set = engine.options.iter().any(|(option, _)| option == name);
                if let Some(plies) = max_plies.filter(|_| !set && running.has_option(name)) {
                    let option = SetOption::new(name, plies.to_string());
                    running.process.send(&Command::SetOption(option));
                }
            }
            running.process.send(&Command::IsReady);
            running.wait_ready("readyok", engine.ready_patience_ms, |answer| {
                answer == Answer::ReadyOk
            })?;
            running.process.send(&Command::NewGame);
            Ok(())
        })
    }

    fn choose(&mut self, game: &Game, go: &Go, patience_ms: u64) -> Result<Choice, PlayerFailure> {
        let position = PositionText::of(game);
        let mut last_info = None;
        let choice = self.talk(|running, _| {
            running.process.forget();
            running.process.send(&Command::Position(position));
            running.process.send(&Command::Go(go.clone()));
            let choice = running.best_move(patience_ms);
            last_info = running.process.take_info();
            choice
        });
        self.last_info = last_info;
        choice
    }

    fn score(&self) -> Option<Score> {
        self.last_info.as_ref().and_then(|info| info.score)
    }

    fn game_over(&mut self, result: GameResult) {
        if let Some(running) = &mut self.running {
            running.process.send(&Command::GameOver(Some(result)));
        }
    }
}

/// Why a wait came to nothing.
enum NoAnswer {
    TimeOut,
    Ended,
    Interrupted,
}

impl Running {
    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }

    /// Reads answers until `pick` takes one.
    fn wait<T>(
        &self,
        patience_ms: u64,
        mut pick: impl FnMut(Answer) -> Option<T>,
    ) -> Result<T, NoAnswer> {
        let end = Instant::now() + Duration::from_millis(patience_ms.min(MONTH_MS));
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(NoAnswer::Interrupted);
            }
            match self.process.answers().recv_deadline(end.min(Instant::now() + GLANCE)) {
                Ok(answer) => {
                    if let Some(picked) = pick(answer) {
                        return Ok(picked);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Ended),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= end => {
                    return Err(NoAnswer::TimeOut);
                }
                // Its output may be kept open by a process that it started.
                Err(RecvTimeoutError::Timeout) if self.process.has_ended() => {
                    return Err(NoAnswer::Ended);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn wait_ready(
        &mut self,
        what: &str,
        patience_ms: u64,
        mut is_it: impl FnMut(Answer) -> bool,
    ) -> Result<(), PlayerFailure> {
        let failure = |running: &Running, text: String| {
            let said = running.process.last_words();
            let said = said.map_or_else(String::new, |words| format!("; it said: {words}"));
            Err(PlayerFailure::new(Fault::NotReady, text + &said))
        };
        match self.wait(patience_ms, |answer| is_it(answer).then_some(())) {
            Ok(()) => Ok(()),
            Err(NoAnswer::TimeOut) => failure(self, format!("no {what} within {patience_ms} ms")),
            Err(NoAnswer::Ended) => {
                let how = self.process.how_it_ended();
                failure(self, format!("the engine ended before {what} ({how})"))
            }
            Err(NoAnswer::Interrupted) => Err(interrupted()),
        }
    }

    fn best_move(&mut self, patience_ms: u64) -> Result<Choice, PlayerFailure> {
        let pick = |answer| match answer {
            Answer::BestMove(best) => Some(best.choice),
            _ => None,
        };
        let first = self.wait(patience_ms, pick);
        let late = matches!(first, Err(NoAnswer::TimeOut));
        let answer = if late {
            self.process.send(&Command::Stop);
            self.wait(GRACE_MS, pick)
        } else {
            first
        };
        match answer {
            Ok(choice) if !late => Ok(choice),
            Ok(_) => Err(PlayerFailure::new(
                Fault::TimeLoss,
                format!("no answer within {patience_ms} ms; it came when told to stop"),
            )),
            Err(NoAnswer::Interrupted) => Err(interrupted()),
            Err(NoAnswer::Ended) => Err(PlayerFailure::new(
                Fault::Crash,
                format!("the engine ended before bestmove ({})", self.process.how_it_ended()),
            )),
            Err(NoAnswer::TimeOut) => Err(match self.process.last_unknown() {
                Some(line) => PlayerFailure::new(
                    Fault::Garbage,
                    format!("no answer within {patience_ms} ms but {line:?}"),
                ),
                None => PlayerFailure::new(
                    Fault::Silence,
                    format!("no answer within {patience_ms} ms, nor to stop"),
                ),
            }),
        }
    }
}

/// The longest wait, so that no sum of times overflows.
const MONTH_MS: u64 = 30 * 24 * 3_600_000;

fn interrupted() -> PlayerFailure {
    PlayerFailure::new(Fault::Interrupted, "the game was interrupted")
}
