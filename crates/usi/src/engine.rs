//! The engine: a state machine between a GUI's lines and a search.
//!
//! Three threads. One reads lines, one searches, and the caller's thread decides and is the only one that writes. So
//! every command is answered at any instant, answers never mix, and each `go` gets exactly one `bestmove` or `checkmate`: commands that
//! cannot be served during a search (`go`, `isready`, `usinewgame`) stop it and wait in a queue for its answer.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};

use crate::answer::{Answer, BestMove, Checkmate, Choice};
use crate::command::{Command, PositionText, SetOption};
use crate::options::Options;
use event::{Event, Report};
use job::Job;
use mate::Mating;
use searching::{Release, Searching};

pub use loader::{LoadError, ModelLoader, ModelRequest};

mod control;
mod event;
mod go;
mod instant_answer;
mod job;
mod lines;
mod loader;
mod mate;
mod report;
mod searching;
mod tempered;
mod worker;

/// How often an empty line is written while a model loads, so that the GUI knows the engine lives.
const KEEP_ALIVE: Duration = Duration::from_secs(5);
/// How long the end of the process waits for a search to notice that it is over.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// What the program calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// `id name`
    pub name: String,
    /// `id author`
    pub author: String,
}

/// Speaks USI until `quit` or the end of `input`. `options` are the defaults that are told to the GUI; the model is
/// loaded by `loader` when the GUI asks for `isready`, and again when options that concern it have changed.
///
/// # Errors
/// `output` cannot be written any more.
pub fn run<R, W>(
    input: R,
    output: W,
    loader: impl ModelLoader + 'static,
    identity: &Identity,
    options: Options,
) -> io::Result<()>
where
    R: BufRead + Send + 'static,
    W: Write,
{
    let (events, inbox) = channel::unbounded();
    let (jobs, job_queue) = channel::unbounded();
    let reader = events.clone();
    thread::spawn(move || lines::read(input, &reader));
    let worker = thread::spawn(move || worker::run(loader, &job_queue, &events));
    let mut engine = Engine {
        identity,
        declared: options.clone(),
        options,
        position: PositionText::startpos(Vec::new()),
        work: Work::Idle,
        loaded: None,
        waiting: VecDeque::new(),
        jobs,
        searches: 0,
        new_game: true,
        output,
    };
    let result = engine.serve(&inbox);
    engine.stop_search();
    drop(engine);
    let end = Instant::now() + LAST_WAIT;
    while !worker.is_finished() && Instant::now() < end {
        thread::sleep(Duration::from_millis(1));
    }
    result
}

/// What the search thread is doing for us.
enum Work {
    Idle,
    Loading { request: ModelRequest, answer: WhenLoaded },
    Searching(Box<Searching>),
    Mating(Mating),
}

/// Why a model is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenLoaded {
    SayReadyOk,
    Go,
}

/// Whether a command was served.
enum Served {
    Yes,
    /// It has to wait until the search thread is idle.
    Later(Command),
}

struct Engine<'a, W> {
    identity: &'a Identity,
    /// The options as they were at the start, for the list of defaults.
    declared: Options,
    options: Options,
    position: PositionText,
    work: Work,
    /// The model the search thread has.
    loaded: Option<ModelRequest>,
    /// Commands behind one that waits.
    waiting: VecDeque<Command>,
    jobs: Sender<Job>,
    /// Searches begun; the number of the last one names it in reports.
    searches: u64,
    /// Whether the next search must forget the last one's tree.
    new_game: bool,
    output: W,
}

impl<W: Write> Engine<'_, W> {
    fn serve(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        loop {
            match self.next_event(inbox)? {
                Some(Event::Line(line)) => match Command::parse(&line) {
                    Ok(Some(Command::Quit)) => return Ok(()),
                    Ok(Some(command)) => self.receive(command)?,
                    Ok(None) => {}
                    Err(error) => self.say(&Answer::message(format!("Error: {error}")))?,
                },
                Some(Event::EndOfInput) => return Ok(()),
                Some(Event::Report(report)) => {
                    self.report(report)?;
                    self.serve_waiting()?;
                }
                None => self.time_out()?,
            }
        }
    }

    /// The next event, or `None` when it is time for a keep-alive line or for an overdue move.
    fn next_event(&self, inbox: &Receiver<Event>) -> io::Result<Option<Event>> {
        let until = match &self.work {
            Work::Loading { .. } => Some(Instant::now() + KEEP_ALIVE),
            Work::Searching(searching) => searching.overdue_at(),
            Work::Mating(mating) => mating.overdue_at(),
            Work::Idle => None,
        };
        let event = match until {
            Some(until) => inbox.recv_deadline(until),
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Event::EndOfInput)),
        }
    }

    fn time_out(&mut self) -> io::Result<()> {
        match &mut self.work {
            Work::Loading { .. } => {
                writeln!(self.output)?;
                self.output.flush()
            }
            Work::Searching(searching) => {
                searching.control.stop();
                searching.finished = Some(searching.fallback());
                searching.release = Release::AtOnce;
                self.say(&Answer::message("the evaluation is late: playing the best move so far"))?;
                self.release()?;
                self.serve_waiting()
            }
            Work::Mating(_) => {
                self.work = Work::Idle;
                self.say(&Answer::Checkmate(Checkmate::Timeout))?;
                self.serve_waiting()
            }
            Work::Idle => Ok(()),
        }
    }

    /// Takes a command from the GUI, behind those that wait.
    fn receive(&mut self, command: Command) -> io::Result<()> {
        let later = match self.waiting.is_empty() {
            true => self.obey(command)?,
            false => Served::Later(command),
        };
        if let Served::Later(command) = later {
            self.waiting.push_back(command);
        }
        Ok(())
    }

    fn serve_waiting(&mut self) -> io::Result<()> {
        while let Some(command) = self.waiting.pop_front() {
            if let Served::Later(command) = self.obey(command)? {
                self.waiting.push_front(command);
                break;
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: Command) -> io::Result<Served> {
        if matches!(command, Command::Go(_) | Command::IsReady | Command::NewGame) {
            match &self.work {
                Work::Idle => {}
                Work::Loading { .. } => return Ok(Served::Later(command)),
                Work::Mating(_) => {
                    self.stop_search();
                    return Ok(Served::Later(command));
                }
                Work::Searching(_) => {
                    self.stop_search();
                    self.release()?;
                    if matches!(self.work, Work::Searching(_)) {
                        return Ok(Served::Later(command));
                    }
                }
            }
        }
        match command {
            Command::Usi => self.introduce()?,
            Command::IsReady => self.ready()?,
            Command::SetOption(SetOption { name, value }) => {
                if let Err(error) = self.options.set(&name, value.as_deref().unwrap_or("")) {
                    self.say(&Answer::message(format!("Error: {error}")))?;
                }
            }
            Command::NewGame => self.new_game = true,
            Command::Position(position) => match position.game(self.rules()) {
                Ok(_) => self.position = position,
                Err(error) => self.say(&Answer::message(format!("Error: position: {error}")))?,
            },
            Command::Go(go) => self.go(go)?,
            Command::Stop | Command::GameOver(_) => {
                self.stop_search();
                self.release()?;
            }
            Command::PonderHit(times) => self.ponder_hit(times)?,
            Command::Quit => {}
        }
        Ok(Served::Yes)
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&Answer::Name(self.identity.name.clone()))?;
        self.say(&Answer::Author(self.identity.author.clone()))?;
        for option in self.declared.declarations() {
            self.say(&Answer::Option(option))?;
        }
        self.say(&Answer::UsiOk)
    }

    fn ready(&mut self) -> io::Result<()> {
        if self.loaded.as_ref() == Some(&ModelRequest::of(&self.options)) {
            return self.say(&Answer::ReadyOk);
        }
        self.load(WhenLoaded::SayReadyOk);
        Ok(())
    }

    fn load(&mut self, answer: WhenLoaded) {
        let request = ModelRequest::of(&self.options);
        self.loaded = None;
        // The search thread lives as long as its queue; should it be gone, its end is reported as an event.
        let _ = self.jobs.send(Job::Load(request.clone()));
        self.work = Work::Loading { request, answer };
    }

    fn stop_search(&mut self) {
        match &mut self.work {
            Work::Searching(searching) => searching.stop(),
            Work::Mating(mating) => mating.stop(),
            Work::Idle | Work::Loading { .. } => {}
        }
    }

    /// Writes the answer of a search that has ended and may answer.
    fn release(&mut self) -> io::Result<()> {
        let Work::Searching(searching) = &mut self.work else { return Ok(()) };
        if searching.release != Release::AtOnce {
            return Ok(());
        }
        let Some(finished) = searching.finished.take() else { return Ok(()) };
        self.work = Work::Idle;
        for info in finished.infos {
            self.say(&Answer::Info(Box::new(info)))?;
        }
        self.say(&Answer::BestMove(finished.best))
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        match report {
            Report::Loaded(result) => self.loaded(result),
            Report::Progress { search, infos } => {
                let Some(searching) = self.search_named(search) else { return Ok(()) };
                let held = searching.finished.is_some();
                for info in infos.into_iter().filter(|_| !held) {
                    self.say(&Answer::Info(Box::new(info)))?;
                }
                Ok(())
            }
            Report::Finished { search, finished } => {
                let Some(searching) = self.search_named(search) else { return Ok(()) };
                searching.finished = Some(finished);
                self.release()
            }
            Report::Mated { search, answer } => self.mated(search, answer),
            Report::Failed { search, error } => {
                self.loaded = None;
                let Some(searching) = self.search_named(search) else { return Ok(()) };
                searching.finished = Some(searching.fallback());
                self.say(&Answer::message(format!("Error: {error}")))?;
                self.release()
            }
        }
    }

    fn search_named(&mut self, search: u64) -> Option<&mut Searching> {
        match &mut self.work {
            Work::Searching(searching) if searching.id == search => Some(searching),
            _ => None,
        }
    }

    fn loaded(&mut self, result: Result<String, LoadError>) -> io::Result<()> {
        let Work::Loading { request, answer } = std::mem::replace(&mut self.work, Work::Idle)
        else {
            return Ok(());
        };
        match result {
            Ok(name) => {
                self.loaded = Some(request);
                self.say(&Answer::message(format!("model: {name}")))?;
                match answer {
                    WhenLoaded::SayReadyOk => self.say(&Answer::ReadyOk),
                    WhenLoaded::Go => Ok(()),
                }
            }
            Err(error) => {
                self.say(&Answer::message(format!("Error: {error}")))?;
                if answer == WhenLoaded::Go {
                    // The search that asked for the model is first in the queue and must not stay unanswered.
                    self.waiting.pop_front();
                    self.say(&Answer::BestMove(BestMove::new(Choice::Resign)))?;
                }
                Ok(())
            }
        }
    }

    fn say(&mut self, answer: &Answer) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }
}
