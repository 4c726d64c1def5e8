use std::fmt::{self, Display, Formatter};

/// A word of a `go` that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// Something else stands where a number is needed.
    Number {
        /// The word before it.
        word: &'static str,
        /// What stands there.
        text: String,
    },
    /// No number follows the word that needs one.
    NoNumber(&'static str),
    /// The word means nothing.
    Unknown(String),
}

impl Unusable {
    pub(super) fn number(word: &'static str, text: Option<&str>) -> Unusable {
        match text {
            Some(text) => Unusable::Number { word, text: text.to_owned() },
            None => Unusable::NoNumber(word),
        }
    }
}

impl Display for Unusable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Number { word, text } => {
                write!(f, "{word} needs a number and has {:?}", excerpt(text))
            }
            Unusable::NoNumber(word) => write!(f, "{word} has no number"),
            Unusable::Unknown(text) => write!(f, "the word {:?} is unknown", excerpt(text)),
        }
    }
}

/// The beginning of a word, which may be as long as a line.
fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}
