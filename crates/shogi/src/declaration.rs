//! How declarations are made.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How a win by the impasse rule is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Declaration {
    /// The side to move declares; a wrong declaration loses.
    Manual,
    /// The game ends by itself at the start of the turn on which every condition holds.
    Automatic,
}

impl Declaration {
    /// Its name: `manual` or `automatic`.
    pub const fn name(self) -> &'static str {
        match self {
            Declaration::Manual => "manual",
            Declaration::Automatic => "automatic",
        }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text names no way of declaring.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown declaration {0:?}: expected `manual` or `automatic`")]
pub struct ParseDeclarationError(String);

impl FromStr for Declaration {
    type Err = ParseDeclarationError;

    fn from_str(text: &str) -> Result<Declaration, ParseDeclarationError> {
        match text {
            "manual" => Ok(Declaration::Manual),
            "automatic" => Ok(Declaration::Automatic),
            other => Err(ParseDeclarationError(other.to_owned())),
        }
    }
}
