use std::io::{BufRead, Read};
use std::time::Instant;

use crossbeam::channel::Sender;

use super::event::Event;

/// The longest line, in bytes: a game of 65,535 moves has less than half of it.
const MAX_BYTES: u64 = 1 << 20;

/// Sends every line of `input` with the time of its arrival, then its end. Bytes that are not UTF-8 become replacement
/// characters; of a line that is too long only the length is told.
pub(super) fn read(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = next(&mut input);
        let ended = matches!(event, Event::EndOfInput);
        if events.send(event).is_err() || ended {
            return;
        }
    }
}

fn next(input: &mut impl BufRead) -> Event {
    let mut line = Vec::new();
    match input.by_ref().take(MAX_BYTES).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => return Event::EndOfInput,
        Ok(_) => {}
    }
    if line.ends_with(b"\n") || (line.len() as u64) < MAX_BYTES {
        return Event::Line(Instant::now(), String::from_utf8_lossy(&line).into_owned());
    }
    // A break as long as the limit is either the end of the line or of the input.
    loop {
        line.clear();
        match input.by_ref().take(MAX_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return Event::EndOfInput,
            Ok(_) if line.ends_with(b"\n") => return Event::LongLine,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel;

    use super::*;

    #[test]
    fn long_lines_are_passed_over() {
        let long = "x".repeat(3 * MAX_BYTES as usize + 7);
        let (sender, events) = channel::unbounded();
        read(format!("usi\n{long}\nquit").as_bytes(), &sender);
        drop(sender);
        let events: Vec<Event> = events.iter().collect();
        assert!(
            matches!(
                &events[..],
                [Event::Line(_, first), Event::LongLine, Event::Line(_, last), Event::EndOfInput]
                    if first == "usi\n" && last == "quit"
            ),
            "{events:?}"
        );
    }
}
