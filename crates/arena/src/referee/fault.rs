use std::fmt;

use thiserror::Error;

/// What a player did that lost it the game outside the rules of the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It could not be started, or did not become ready.
    NotReady,
    /// Its process ended.
    Crash,
    /// It answered, but too late.
    TimeLoss,
    /// It did not answer, not even when told to stop.
    Silence,
    /// It said something that is no answer.
    Garbage,
    /// It chose a move that is not legal.
    IllegalMove,
    /// Nobody's fault: the program was told to stop, and the game does not count.
    Interrupted,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 7] = [
        Fault::NotReady,
        Fault::Crash,
        Fault::TimeLoss,
        Fault::Silence,
        Fault::Garbage,
        Fault::IllegalMove,
        Fault::Interrupted,
    ];

    /// Its name in tables and records: `time_loss`.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NotReady => "not_ready",
            Fault::Crash => "crash",
            Fault::TimeLoss => "time_loss",
            Fault::Silence => "silence",
            Fault::Garbage => "garbage",
            Fault::IllegalMove => "illegal_move",
            Fault::Interrupted => "interrupted",
        }
    }

    /// The fault of this name.
    pub fn named(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a player failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct PlayerFailure {
    /// The kind.
    pub fault: Fault,
    /// The details.
    pub text: String,
}

impl PlayerFailure {
    /// A failure of this kind.
    pub fn new(fault: Fault, text: impl Into<String>) -> PlayerFailure {
        PlayerFailure { fault, text: text.into() }
    }
}
