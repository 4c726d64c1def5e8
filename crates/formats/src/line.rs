//! Texts of many lines.

use std::error::Error;

use thiserror::Error;

/// An error in a line of a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {source}")]
pub struct LineError<E: Error + 'static> {
    /// The line's number, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub source: E,
}

/// The lines of `text` that are neither blank nor a comment (`#`), with their numbers from 1. Ends of
/// line may be LF or CRLF, and a byte order mark is passed over.
pub(crate) fn content(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).filter(|(_, line)| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#')
    })
}
