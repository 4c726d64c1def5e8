//! A USI engine in a process of its own, as a player.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command as Process, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver};
use keiko_shogi::Game;
use keiko_usi::answer::{Answer, Choice, Info};
use keiko_usi::command::{Command, GameResult, Go, PositionText, SetOption};

use crate::referee::{Player, PlayerFailure};

/// How to start an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsiEngine {
    /// What it is called in results.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
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
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// The options it declared.
    options: Vec<String>,
}

/// Options that say after how many plies a game is drawn.
const MAX_PLIES_OPTIONS: [&str; 2] = ["MaxMovesToDraw", "Draw_Ply"];

impl UsiPlayer {
    /// A player whose process is not started yet.
    pub fn new(engine: UsiEngine) -> UsiPlayer {
        UsiPlayer { engine, running: None, last_info: None }
    }

    /// The last report with a score before the last move.
    pub fn last_info(&self) -> Option<&Info> {
        self.last_info.as_ref()
    }

    fn start(&self) -> Result<Running, PlayerFailure> {
        let UsiEngine { program, arguments, .. } = &self.engine;
        let mut child = Process::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| broken(format!("cannot start {}: {error}", program.display())))?;
        let (input, output) = match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => (input, output),
            _ => return Err(broken("the process has no pipes".to_owned())),
        };
        let (sender, lines) = channel::unbounded();
        thread::spawn(move || {
            use std::io::{BufRead, BufReader};
            for line in BufReader::new(output).split(b'\n') {
                let Ok(line) = line else { return };
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let mut running = Running { child, input, output: lines, options: Vec::new() };
        running.send(&Command::Usi)?;
        let mut options = Vec::new();
        running.wait("usiok", self.engine.usi_patience_ms, |answer| match answer {
            Answer::UsiOk => Some(()),
            Answer::Option(option) => {
                options.push(option.name);
                None
            }
            _ => None,
        })?;
        running.options = options;
        for (name, value) in &self.engine.options {
            // An option that the engine does not know would change nothing, and nobody would notice.
            if !running.has_option(name) && !name.starts_with("USI_") {
                return Err(broken(format!("the engine has no option {name:?}")));
            }
            running.send(&Command::SetOption(SetOption::new(name, value)))?;
        }
        Ok(running)
    }

    /// Runs `talk` with the process; a failure ends the process.
    fn talk<T>(
        &mut self,
        talk: impl FnOnce(&mut Running, &UsiEngine) -> Result<T, PlayerFailure>,
    ) -> Result<T, PlayerFailure> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let result = talk(&mut running, &self.engine)?;
        self.running = Some(running);
        Ok(result)
    }
}

impl Player for UsiPlayer {
    fn name(&self) -> String {
        self.engine.name.clone()
    }

    fn new_game(&mut self, game: &Game) -> Result<(), PlayerFailure> {
        let max_plies = game.rules().max_plies;
        self.talk(|running, engine| {
            for name in MAX_PLIES_OPTIONS {
                let set = engine.options.iter().any(|(option, _)| option == name);
                if let Some(plies) = max_plies.filter(|_| !set && running.has_option(name)) {
                    running.send(&Command::SetOption(SetOption::new(name, plies.to_string())))?;
                }
            }
            running.send(&Command::IsReady)?;
            running.wait("readyok", engine.ready_patience_ms, |answer| {
                (answer == Answer::ReadyOk).then_some(())
            })?;
            running.send(&Command::NewGame)
        })
    }

    fn choose(&mut self, game: &Game, go: &Go, patience_ms: u64) -> Result<Choice, PlayerFailure> {
        let position = PositionText::of(game);
        let mut last_info = None;
        let choice = self.talk(|running, _| {
            running.send(&Command::Position(position))?;
            running.send(&Command::Go(go.clone()))?;
            running.wait("bestmove", patience_ms, |answer| match answer {
                Answer::BestMove(best) => Some(best.choice),
                Answer::Info(info) if info.score.is_some() => {
                    last_info = Some(*info);
                    None
                }
                _ => None,
            })
        });
        self.last_info = last_info;
        choice
    }

    fn game_over(&mut self, result: GameResult) {
        // A process that is gone is started again for the next game.
        let _ = match &mut self.running {
            Some(running) => running.send(&Command::GameOver(Some(result))),
            None => Ok(()),
        };
    }
}

impl Running {
    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option == name)
    }

    fn send(&mut self, command: &Command) -> Result<(), PlayerFailure> {
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .map_err(|error| broken(format!("the engine does not read: {error}")))
    }

    /// Reads answers until `pick` takes one.
    fn wait<T>(
        &mut self,
        what: &str,
        patience_ms: u64,
        mut pick: impl FnMut(Answer) -> Option<T>,
    ) -> Result<T, PlayerFailure> {
        let end = Instant::now() + Duration::from_millis(patience_ms);
        loop {
            let line = match self.output.recv_deadline(end) {
                Ok(line) => line,
                Err(error) if error.is_timeout() && what == "bestmove" => {
                    return Err(PlayerFailure::Late { allowed_ms: patience_ms });
                }
                Err(error) if error.is_timeout() => {
                    return Err(broken(format!("no {what} within {patience_ms} ms")));
                }
                Err(_) => return Err(broken(format!("the engine ended before {what}"))),
            };
            if let Some(picked) = Answer::parse(&line).and_then(&mut pick) {
                return Ok(picked);
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The process is asked first; one that does not listen is ended.
        let _ = self.send(&Command::Quit);
        for _ in 0..50 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn broken(text: String) -> PlayerFailure {
    PlayerFailure::Broken(text)
}
