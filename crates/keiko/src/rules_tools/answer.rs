//! Answering cases.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use serde::Serialize;

use crate::message::message;

/// What a case that cannot be read answers.
#[derive(Serialize)]
struct Failure {
    error: String,
}

/// The text of an answer, or `{"error": ..}`.
pub(super) fn answer_or_error(answer: anyhow::Result<String>) -> (String, bool) {
    match answer {
        Ok(text) => (text, true),
        Err(error) => {
            let failure = Failure { error: message(&error) };
            (serde_json::to_string(&failure).expect("a text is written as JSON"), false)
        }
    }
}

/// Writes one answer a line of `input`, each at once, and returns how many lines there were and
/// whether all could be answered. The error of a line names its number, from 1.
pub(super) fn answer_lines(
    input: &mut impl BufRead,
    out: &mut impl Write,
    mut answer: impl FnMut(&str) -> anyhow::Result<String>,
) -> anyhow::Result<(u64, bool)> {
    let mut line = Vec::new();
    let (mut lines, mut all_good) = (0, true);
    while input.read_until(b'\n', &mut line)? > 0 {
        lines += 1;
        let text = std::str::from_utf8(&line).map_err(anyhow::Error::from);
        let answered = text
            .and_then(|line| answer(line.trim_end_matches(['\n', '\r'])))
            .with_context(|| format!("line {lines}"));
        let (text, good) = answer_or_error(answered);
        writeln!(out, "{text}")?;
        out.flush()?;
        all_good &= good;
        line.clear();
    }
    Ok((lines, all_good))
}

/// The exit code that says whether everything could be answered.
pub(super) fn exit_code(all_good: bool) -> ExitCode {
    if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
