//! The engine: a state machine between a GUI's lines and a search.
//!
//! Four threads. One reads lines, one searches, one looks for mates (beside a search, or alone), and the caller's thread decides and is the
//! only one that writes. So every command is answered at any instant, answers never mix, and each `go` gets exactly one
//! `bestmove` or `checkmate`: commands that cannot be served during a search (`go`, `isready`, `usinewgame`) stop it and
//! wait in a queue for its answer.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};

use crate::answer::{Answer, Checkmate};
use crate::command::{Command, CommandError, PositionText, SetOption, Start};
use crate::options::{NetSetting, Options};
use event::{Event, Report};
use job::Job;
use load::{LoadedBook, Loading};
use mate::Mating;
use mate_thread::MateThread;
use searching::{Release, Searching};
use standing::Standing;

pub use loader::{DeviceRequest, LoadError, LoadedModel, ModelLoader, ModelRequest, with_sources};
pub use worker::warm_up;

mod book_answer;
mod control;
mod event;
mod go;
mod guided;
mod instant_answer;
mod job;
mod lines;
mod load;
mod loader;
mod mate;
mod mate_thread;
mod report;
mod searching;
mod standing;
mod watch;
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
    let mates = MateThread::start();
    let worker = {
        let (mates, events) = (mates.clone(), events.clone());
        thread::spawn(move || worker::run(loader, mates, &job_queue, &events))
    };
    let mut engine = Engine {
        identity,
        declared: options.clone(),
        asked: options.clone(),
        options,
        net: Vec::new(),
        standing: Standing::new(),
        work: Work::Idle,
        mating: None,
        mates,
        events,
        model: None,
        book: None,
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
    Loading(Loading),
    Searching(Box<Searching>),
}

/// What the GUI wants, in the order in which it said so.
enum Order {
    Command(Command),
    /// A `position` that cannot be read, and where it was to begin.
    BadPosition {
        reason: String,
        start: Option<Start>,
    },
}

/// Whether an order was served.
enum Served {
    Yes,
    /// It has to wait until the search thread is idle.
    Later(Order),
}

struct Engine<'a, W> {
    identity: &'a Identity,
    /// The options as they were at the start, for the list of defaults.
    declared: Options,
    /// The options as the GUI has set them.
    asked: Options,
    /// The options in force: what the GUI has left at its default is as the net wants it.
    options: Options,
    /// What the files beside the net say.
    net: Vec<NetSetting>,
    standing: Standing,
    work: Work,
    /// The search for a mate in progress, which needs no model: it may run while one loads.
    mating: Option<Mating>,
    mates: MateThread,
    /// Where the search for a mate reports.
    events: Sender<Event>,
    /// The model the search thread has.
    model: Option<ModelRequest>,
    book: Option<LoadedBook>,
    /// Orders behind one that waits, and when they came.
    waiting: VecDeque<(Instant, Order)>,
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
                Some(Event::Line(at, line)) => match Command::parse(&line) {
                    Ok(Some(Command::Quit)) => return Ok(()),
                    Ok(Some(command)) => {
                        self.warn_of_unusable(&command, &line)?;
                        self.receive(at, Order::Command(command))?;
                    }
                    Ok(None) => {}
                    Err(CommandError::Position(error)) => {
                        let text = line.trim_start().strip_prefix("position").unwrap_or("");
                        let start = PositionText::start_of(text);
                        self.receive(at, Order::BadPosition { reason: error.to_string(), start })?;
                    }
                    Err(error) => self.say(&Answer::message(format!("Error: {error}")))?,
                },
                Some(Event::LongLine) => {
                    self.say(&Answer::message("Error: a line is too long to be a command"))?;
                }
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
            Work::Loading(loading) => Some(loading.wakes_at(Instant::now() + KEEP_ALIVE)),
            Work::Searching(searching) => searching.overdue_at(),
            Work::Idle => None,
        };
        let mated = self.mating.as_ref().and_then(Mating::overdue_at);
        let event = match until.into_iter().chain(mated).min() {
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
        let late = |mating: &Mating| mating.overdue_at().is_some_and(|at| at <= Instant::now());
        if self.mating.take_if(|mating| late(mating)).is_some() {
            self.say(&Answer::Checkmate(Checkmate::Timeout))?;
            return self.serve_waiting();
        }
        match &mut self.work {
            Work::Loading(_) => self.loading_time_out()?,
            Work::Searching(searching) => {
                searching.control.stop();
                searching.finished = Some(searching.fallback());
                searching.release = Release::AtOnce;
                self.say(&Answer::message("the evaluation is late: playing the best move so far"))?;
                self.release()?;
            }
            Work::Idle => {}
        }
        self.serve_waiting()
    }

    /// Takes an order from the GUI, behind those that wait.
    fn receive(&mut self, at: Instant, order: Order) -> io::Result<()> {
        let later = match self.waiting.is_empty() {
            true => self.obey(at, order)?,
            false => Served::Later(order),
        };
        if let Served::Later(order) = later {
            self.waiting.push_back((at, order));
        }
        Ok(())
    }

    fn serve_waiting(&mut self) -> io::Result<()> {
        while let Some((at, order)) = self.waiting.pop_front() {
            if let Served::Later(order) = self.obey(at, order)? {
                self.waiting.push_front((at, order));
                break;
            }
        }
        Ok(())
    }

    fn obey(&mut self, at: Instant, order: Order) -> io::Result<Served> {
        let command = match order {
            Order::Command(command) => command,
            Order::BadPosition { reason, start } => {
                self.refuse_position(&reason, start.as_ref())?;
                return Ok(Served::Yes);
            }
        };
        if matches!(command, Command::Go(_) | Command::IsReady | Command::NewGame) {
            self.stop_search();
            self.release()?;
            if !self.can_take(&command) {
                return Ok(Served::Later(Order::Command(command)));
            }
        }
        match command {
            Command::Usi => self.introduce()?,
            Command::IsReady => self.ready()?,
            Command::SetOption(option) => self.set_option(option)?,
            Command::NewGame => self.new_game = true,
            Command::Position(position) => self.position(&position)?,
            Command::Go(go) => self.go(go, at)?,
            Command::Stop | Command::GameOver(_) => {
                self.stop_search();
                self.release()?;
            }
            Command::PonderHit(times) => self.ponder_hit(times, at)?,
            Command::Quit => {}
        }
        Ok(Served::Yes)
    }

    /// Whether one of the commands that end a search can be obeyed now.
    fn can_take(&self, command: &Command) -> bool {
        match (&self.work, command) {
            _ if self.mating.is_some() => false,
            // A search waits for the model where it can be answered for, as its clock runs already.
            (Work::Idle, _) | (Work::Loading(_), Command::NewGame | Command::Go(_)) => true,
            (Work::Loading(loading), Command::IsReady) => self.wants(loading),
            _ => false,
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say(&Answer::Name(self.identity.name.clone()))?;
        self.say(&Answer::Author(self.identity.author.clone()))?;
        for option in self.declared.declarations() {
            self.say(&Answer::Option(option))?;
        }
        self.say(&Answer::UsiOk)
    }

    fn set_option(&mut self, SetOption { name, value }: SetOption) -> io::Result<()> {
        // Those of the protocol are told to every engine.
        if !Options::knows(&name) && !name.starts_with("USI_") {
            return self.say(&Answer::message(format!("Error: there is no option {name}")));
        }
        let set = self.asked.set(&name, value.as_deref().unwrap_or(""));
        self.options = self.asked.with_net(&self.declared, &self.net).0;
        set.or_else(|error| self.say(&Answer::message(format!("Error: {error}"))))
    }

    fn stop_search(&mut self) {
        if let Some(mating) = &mut self.mating {
            mating.stop();
        }
        match &mut self.work {
            Work::Searching(searching) => searching.stop(),
            Work::Loading(loading) => loading.stop(),
            Work::Idle => {}
        }
    }

    /// Writes the answer of a search that has ended and may answer.
    fn release(&mut self) -> io::Result<()> {
        let answer = match &mut self.work {
            Work::Searching(searching) => searching.take_answer(),
            Work::Loading(loading) => loading.take_answer(),
            Work::Idle => None,
        };
        let Some(finished) = answer else { return Ok(()) };
        if matches!(self.work, Work::Searching(_)) {
            self.work = Work::Idle;
        }
        for info in finished.infos {
            self.say(&Answer::Info(Box::new(info)))?;
        }
        self.say(&Answer::BestMove(finished.best))
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        match report {
            Report::Loaded(loaded) => self.loaded(loaded),
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
                self.model = None;
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

    fn say(&mut self, answer: &Answer) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }
}
