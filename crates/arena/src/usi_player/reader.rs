//! What an engine says, read to the end whatever it is, with a bound on what is kept.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex};
use std::thread;

use crossbeam::channel::{self, Receiver, Sender, TrySendError};
use keiko_usi::answer::{Answer, Info};

/// The longest line that is read, in bytes; the rest of a longer one is passed over.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Answers that may wait to be read. What is said beyond them was not asked for.
const MAX_ANSWERS: usize = 4096;

/// Characters that are kept of a line nobody understands.
const MAX_UNKNOWN_CHARS: usize = 200;

/// The reports of an engine: only the last ones are kept.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The last report with a score.
    pub(super) info: Option<Info>,
    /// The last message to people (`info string`).
    pub(super) message: Option<String>,
    /// The last line that is none of USI.
    pub(super) unknown: Option<String>,
}

/// Reads `output` to its end in a thread of its own, so that the engine never waits for us. The channel is closed at
/// the end.
pub(super) fn read(output: impl Read + Send + 'static) -> (Receiver<Answer>, Arc<Mutex<Said>>) {
    let (sender, answers) = channel::bounded(MAX_ANSWERS);
    let said = Arc::new(Mutex::new(Said::default()));
    let shared = Arc::clone(&said);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        while let Ok(true) = next_line(&mut output, &mut line) {
            if !take(&String::from_utf8_lossy(&line), &sender, &shared) {
                return;
            }
        }
    });
    (answers, said)
}

/// Reads the next line; false at the end.
fn next_line(output: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let length = output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line)?;
    if length as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
        while !output.fill_buf()?.is_empty() {
            let bytes = output.fill_buf()?;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(bytes.len(), |end| end + 1);
            output.consume(used);
            if end.is_some() {
                break;
            }
        }
    }
    Ok(length > 0)
}

/// Keeps or hands on one line; false if nobody listens any more.
fn take(line: &str, answers: &Sender<Answer>, said: &Mutex<Said>) -> bool {
    if let Some(message) = line.strip_prefix("info string ") {
        let text: String = message.trim().chars().take(MAX_UNKNOWN_CHARS).collect();
        said.lock().expect("no reader panics").message = Some(text);
        return true;
    }
    // An engine may report without end: a report without a score is not worth being parsed.
    if line.starts_with("info") && !line.contains(" score ") {
        return true;
    }
    match Answer::parse(line) {
        Some(Answer::Info(info)) => {
            if info.score.is_some() && info.multipv.is_none_or(|line| line == 1) {
                said.lock().expect("no reader panics").info = Some(*info);
            }
            true
        }
        Some(answer) => !matches!(answers.try_send(answer), Err(TrySendError::Disconnected(_))),
        None => {
            let text: String = line.trim().chars().take(MAX_UNKNOWN_CHARS).collect();
            if !text.is_empty() {
                said.lock().expect("no reader panics").unknown = Some(text);
            }
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_cost_nothing_and_the_next_one_is_read() {
        let text =
            [&vec![b'x'; 300_000][..], b"\nbestmove resign\n", &[255, b'\n'], b"usiok"].concat();
        let (answers, said) = read(std::io::Cursor::new(text));
        let found: Vec<Answer> = answers.iter().collect();
        assert!(matches!(found[0], Answer::BestMove(_)), "{found:?}");
        assert_eq!(found[1], Answer::UsiOk);
        let unknown = said.lock().unwrap().unknown.clone().unwrap();
        assert_eq!(unknown, "\u{fffd}");
    }

    #[test]
    fn what_nobody_reads_is_bounded() {
        let text = "readyok\n".repeat(MAX_ANSWERS + 500);
        let (answers, _) = read(std::io::Cursor::new(text));
        while !answers.is_full() {
            thread::yield_now();
        }
        assert_eq!(answers.iter().count().min(MAX_ANSWERS), MAX_ANSWERS);
    }
}
