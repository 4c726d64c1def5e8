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

/// Calls `take` with each line of `text` and its number, which for the first is `first`; the number of the last.
///
/// # Errors
///
/// The first line that `take` refuses, and why.
pub(crate) fn each_line<E: Error>(
    text: &str,
    first: u32,
    mut take: impl FnMut(u32, &str) -> Result<(), E>,
) -> Result<u32, LineError<E>> {
    let mut last = first;
    for (line, text) in (first..).zip(text.lines()) {
        last = line;
        let text = text.trim_end_matches('\r');
        take(line, text).map_err(|source| LineError { line, source })?;
    }
    Ok(last)
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
