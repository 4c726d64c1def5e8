use keiko_mcts::MateAnswer;

use super::LoadError;
use super::report::Finished;
use crate::answer::Info;

/// What reaches the protocol's thread.
#[derive(Debug)]
pub(super) enum Event {
    /// A line from the GUI.
    Line(String),
    /// The GUI is gone.
    EndOfInput,
    /// The search thread has something to say.
    Report(Report),
}

/// What the search thread says.
#[derive(Debug)]
pub(super) enum Report {
    /// A model was loaded (its name) or not.
    Loaded(Result<String, LoadError>),
    /// How far a search has come.
    Progress { search: u64, infos: Vec<Info> },
    /// A search has ended.
    Finished { search: u64, finished: Finished },
    /// A search for a mate has ended.
    Mated { search: u64, answer: MateAnswer },
    /// A search broke off.
    Failed { search: u64, error: String },
}
