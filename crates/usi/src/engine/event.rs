use std::time::Instant;

use keiko_mcts::MateAnswer;

use super::LoadError;
use super::report::Finished;
use crate::answer::Info;
use crate::book::{Book, BookError};
use crate::options::NetSettings;

/// What reaches the protocol's thread.
#[derive(Debug)]
pub(super) enum Event {
    /// A line from the GUI, and when it came.
    Line(Instant, String),
    /// A line that is too long for any command.
    LongLine,
    /// The GUI is gone.
    EndOfInput,
    /// The search thread has something to say.
    Report(Report),
}

/// What the search thread says.
#[derive(Debug)]
pub(super) enum Report {
    /// What was to be loaded is, or not.
    Loaded(Loaded),
    /// How far a search has come.
    Progress { search: u64, infos: Vec<Info> },
    /// A search has ended.
    Finished { search: u64, finished: Finished },
    /// A search for a mate has ended.
    Mated { search: u64, answer: MateAnswer },
    /// A search broke off.
    Failed { search: u64, error: String },
}

/// The answer to a job to load; a part is missing where nothing was asked for.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) model: Option<Result<LoadedNet, LoadError>>,
    pub(super) book: Option<Result<Book, BookError>>,
}

/// What the protocol's thread knows of a model.
#[derive(Debug)]
pub(super) struct LoadedNet {
    pub(super) name: String,
    pub(super) settings: NetSettings,
}
